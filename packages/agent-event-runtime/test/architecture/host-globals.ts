/** Names that a host gives to programs and the language does not have, or whose answers differ from call to call. */
const HOST_GLOBALS =
  /\b(process|Buffer|window|document|globalThis|console|setTimeout|setInterval|fetch|require|structuredClone|performance|crypto|Date\.now|Math\.random)\b/;

/** Whether the source uses a global that is not the language's. */
export function usesHostGlobals(source: string): boolean {
  return HOST_GLOBALS.test(codeOf(source));
}

/** The source without its comments and strings. */
export function codeOf(source: string): string {
  return source.replaceAll(/\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "");
}
