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
export type CommandName = "run" | "sessions" | "show" | "events" | "replay" | "doctor" | "demo";

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
      { name: "harness", value: "ID", about: "which harness runs it: pi or claude; default pi" },
      { name: "access", value: "KIND", about: "how the harness is reached: native or acp; default its own" },
      {
        name: "model",
        value: "M",
        about: "provider/model; default the harness's choice (offline/scripted needs no key)",
      },
      {
        name: "mode",
        value: "NAME",
        about: "how freely the harness may act, in its own words, such as plan",
      },
      {
        name: "permissions",
        value: "HOW",
        about:
          "whether the agent may do what it asks for: ask (you decide), deny or allow;\ndefault ask on a terminal, else deny",
      },
      { name: "session", value: "ID", about: "go on in this session, in its directory and with its harness" },
      store,
      json("print events as JSON, one a line, and a line with the result at the end"),
    ],
    notes: [
      "PROMPT - reads the prompt from standard input; a prompt that begins with - goes after --.",
      "A prompt that begins with / is a command for a harness that has commands (claude), such as /compact.",
      "Ctrl-C cancels the turn, and so does closing the pipe it prints to; a second Ctrl-C ends at once.",
      "With --permissions deny and allow, questions are refused, in words that the model can read.",
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
    name: "replay",
    usage: "FILE|DIR",
    about: "print what an adapter makes of a recording",
    options: [
      { name: "adapter", value: "ID", about: "who reads it, such as pi or claude" },
      { name: "projection", value: "NAME", about: "print a view of the events: transcript or debug-trace" },
      { name: "session", value: "NATIVE_ID", about: "only the session that the harness knows by this name" },
      {
        name: "summary",
        about:
          "print one line for each recording; always so for a folder, where the name of\na folder in a file's path may stand for --adapter",
      },
      json("print events (rows, recordings) as JSON, one a line"),
    ],
    notes: [
      'A recording has one line of JSON for each line that passed: {"t": ms, "dir": "send" or "recv", "line": text\nor value, "p": process, "ch": channel}; a line with dir "note" that tells of an exit or a start ends a\nconnection, and others are skipped. A file of the lines that a harness wrote does as well.',
      "Exit codes: 0 total and balanced, 1 not, 2 wrong use.",
    ],
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
