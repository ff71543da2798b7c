/** One option of a command, as parsed and as told in its help. */
export interface OptionSpec {
  readonly name: string;
  /** What stands for its value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly about: string;
}

/** One command, as parsed and as told in its help. */
export interface CommandSpec {
  readonly name: CommandName;
  /** The arguments beside options, as written in the usage line. */
  readonly usage: string;
  readonly about: string;
  readonly options: readonly OptionSpec[];
  /** What else a reader of the help must know: whole lines. */
  readonly notes: readonly string[];
}

/** The names of the commands. */
export type CommandName = "run" | "sessions" | "show" | "events" | "doctor" | "demo";

const store: OptionSpec = {
  name: "store",
  value: "PATH",
  about:
    "the database; default $CLAXEDO_STORE, else $XDG_STATE_HOME/claxedo/claxedo.db,\nelse ~/.local/state/claxedo/claxedo.db",
};

const json = (about: string): OptionSpec => ({ name: "json", about });

const shortIds =
  "ID may be shortened to a beginning that only one session has, with or without `session_`;\na turn's id (`turn_…`) works too and narrows the output to that turn.";

/** The commands, in the order of the help. */
export const commandSpecs: readonly CommandSpec[] = [
  {
    name: "run",
    usage: '"PROMPT"',
    about: "run one prompt to its end",
    options: [
      { name: "dir", value: "D", about: "where the agent works; default the current directory" },
      { name: "harness", value: "ID", about: "which harness runs it; default pi" },
      { name: "access", value: "KIND", about: "how the harness is reached: native or acp; default its own" },
      {
        name: "model",
        value: "M",
        about: "provider/model; default the harness's choice (offline/scripted needs no key)",
      },
      { name: "session", value: "ID", about: "go on in this session, in its directory and with its harness" },
      store,
      json("print events as JSON, one a line, and a line with the result at the end"),
    ],
    notes: [
      "PROMPT - reads the prompt from standard input; a prompt that begins with - goes after --.",
      "Ctrl-C cancels the turn, and so does closing the pipe it prints to; a second Ctrl-C ends at once.",
      "Exit codes: 0 completed, 1 failed, 2 wrong use, 3 cancelled, 130 second Ctrl-C.",
    ],
  },
  {
    name: "sessions",
    usage: "",
    about: "list the sessions, latest first",
    options: [store, json("print each session as JSON, one a line")],
    notes: [],
  },
  {
    name: "show",
    usage: "ID",
    about: "print the transcript of a session",
    options: [store],
    notes: [shortIds],
  },
  {
    name: "events",
    usage: "ID",
    about: "print the event log of a session",
    options: [
      { name: "after", value: "N", about: "only events with a seq above N" },
      { name: "follow", about: "stay and print events as they come, from any process; Ctrl-C ends it" },
      store,
      json("print events as JSON, one a line"),
    ],
    notes: [shortIds],
  },
  {
    name: "doctor",
    usage: "",
    about: "check whether everything is in place",
    options: [store, json("print the findings as JSON")],
    notes: ["Exit codes: 0 usable, 1 not."],
  },
  {
    name: "demo",
    usage: "",
    about: "watch an agent lose its host process in the middle of a turn, and go on",
    options: [],
    notes: ["Works in a scratch folder, without key or network, and removes it at the end."],
  },
];
