/** What only a conversation has: messages by their path, in plain words or in a JSON body, and kinds of blocks. */
const NAMES = /\bmessages\.\d|(?:400 |["'])messages:|\btool_(?:use|result)|\bredacted_thinking/;

/** How it is said without naming them. The last two are the CLI's own words for what the provider says. */
const WORDS: readonly string[] = [
  "Could not process image",
  "image exceeds",
  "image in the conversation exceeds",
  "tool use concurrency issues", // a call without its result
];

/** Whether a failure means that the provider refuses the conversation as it stands, which every later prompt repeats. */
export function rejectsHistory(message: string, status: number | undefined): boolean {
  return status === 400 && (NAMES.test(message) || WORDS.some((words) => message.includes(words)));
}
