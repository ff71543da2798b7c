import type { Choice, HarnessOffer } from "../../harness/harness.ts";
import { field, textField } from "../../live/messages.ts";

/**
 * The permission modes of Claude Code 2.1, which it does not list itself. `manual` of its command line is another name
 * of `default`: that is what it calls the mode then.
 */
const MODES: readonly Choice[] = [
  { id: "default", title: "Ask", description: "Asks before it changes files or runs commands." },
  {
    id: "acceptEdits",
    title: "Accept edits",
    description: "Changes files without asking; asks for the rest.",
  },
  { id: "plan", title: "Plan", description: "Looks and plans, and changes nothing." },
  { id: "auto", title: "Auto", description: "Decides by itself what is safe, and asks for the rest." },
  { id: "dontAsk", title: "Don't ask", description: "Refuses what it would have to ask for." },
  {
    id: "bypassPermissions",
    title: "Bypass permissions",
    description:
      "Does everything without asking. Only from the start: a session that is up cannot switch to it.",
  },
];

/** What the CLI offers, from its answer to `initialize`. */
export function offerOf(initialized: unknown): HarnessOffer {
  return {
    models: listed(initialized, "models").flatMap((model) => choice(model, "value", "displayName")),
    modes: modesOf(textField(initialized, "current_permission_mode")),
    commands: listed(initialized, "commands").flatMap((command) =>
      choice(command, "name").map((known) => ({ ...known, ...given("argumentHint", command) })),
    ),
  };
}

/**
 * The names of the models that the CLI itself knows, and of what those stand for. A model that it was started
 * with is offered as well, whatever that is: it stands for itself.
 */
export function modelNames(initialized: unknown): ReadonlySet<string> {
  const names = listed(initialized, "models").flatMap((model) => {
    const [value, resolved] = [textField(model, "value"), textField(model, "resolvedModel")];
    return value === resolved ? [] : [value, resolved];
  });
  return new Set(names.filter((name) => name !== undefined));
}

function modesOf(current: string | undefined): readonly Choice[] {
  const known = current === undefined || MODES.some((mode) => mode.id === current);
  return known ? MODES : [...MODES, { id: current }];
}

function choice(value: unknown, idKey: string, titleKey?: string): readonly Choice[] {
  const id = textField(value, idKey);
  const title = titleKey === undefined ? undefined : textField(value, titleKey);
  if (id === undefined || id === "") return [];
  return [{ id, ...(title === undefined ? undefined : { title }), ...given("description", value) }];
}

function given<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } | undefined {
  const text = textField(value, key);
  return text === undefined || text === "" ? undefined : ({ [key]: text } as { [K in Key]: string });
}

function listed(value: unknown, key: string): readonly unknown[] {
  const found = field(value, key);
  return Array.isArray(found) ? found : [];
}
