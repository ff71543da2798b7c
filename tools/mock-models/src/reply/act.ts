/** What is done for a reply, one after another; after the last the response ends. */
export type Act =
  | { readonly kind: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "write"; readonly data: string | Uint8Array }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "gate"; readonly name: string }
  /** Nothing follows: the response stays open until the client or the server goes. */
  | { readonly kind: "hang" }
  /** Nothing follows: the socket is cut. */
  | { readonly kind: "cut" };

/** The call that is answered. */
export interface Call {
  readonly model: string;
  readonly stream: boolean;
  /** The id of the request, as the API gives one. */
  readonly requestId: string;
  /** Tells this request from any other that is not the same to the byte; ids are made of it. */
  readonly fingerprint: string;
}
