import { again } from "./live/again.ts";
import { asks } from "./live/asks.ts";
import { background } from "./live/background.ts";
import { endings } from "./live/endings.ts";
import { extensions } from "./live/extensions.ts";
import { interrupts } from "./live/interrupts.ts";
import { midTurn } from "./live/mid-turn.ts";
import { settings } from "./live/settings.ts";
import { speech } from "./live/speech.ts";
import { background as tasks } from "./runtime/background.ts";
import { cancelling } from "./runtime/cancelling.ts";
import { failures } from "./runtime/failures.ts";
import { permissions } from "./runtime/permissions.ts";
import { recovery } from "./runtime/recovery.ts";
import { settings as choices } from "./runtime/settings.ts";
import { steering } from "./runtime/steering.ts";
import { tools } from "./runtime/tools.ts";
import { turns } from "./runtime/turns.ts";
import type { Scenario } from "./scenario.ts";

/** All scenarios, by what they are about. */
export const scenarios: Readonly<Record<string, readonly Scenario[]>> = {
  "a live session": [
    ...speech,
    ...asks,
    ...interrupts,
    ...midTurn,
    ...background,
    ...again,
    ...endings,
    ...extensions,
    ...settings,
  ],
  "a turn": turns,
  tools,
  "permissions and questions": permissions,
  cancelling,
  steering,
  "background work and subagents": tasks,
  "failures of the model": failures,
  "settings and commands": choices,
  recovery,
};
