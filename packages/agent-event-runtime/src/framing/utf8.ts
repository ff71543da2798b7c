// Browsers, workers and Node have it; the language's own library does not know it.
declare class TextDecoder {
  constructor(label: "utf-8", options: { readonly fatal: boolean; readonly ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const STRICT = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The bytes as text, or `undefined` when they are not UTF-8. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes as text; what is not UTF-8 becomes U+FFFD. */
export function excerpt(bytes: Uint8Array): string {
  return LENIENT.decode(bytes);
}

/** Whether the bytes begin with a byte order mark. */
export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
