/** What files of one place may import, besides files of the same folder: folders below `src`, and packages. */
export interface ImportRule {
  readonly from: RegExp;
  readonly may: readonly RegExp[];
}

/** Who may import whom: the first rule that matches a file holds for it. */
export const importRules: readonly ImportRule[] = [
  { from: /^base\//, may: [/^base\//] },
  { from: /^(event|framing)\//, may: [/^base\//, /^event\//] },
  { from: /^translation\//, may: [/^(base|event|translation)\//] },
  { from: /^projection\//, may: [/^(base|event|projection)\//] },
  { from: /^adapters\/registry\.ts$/, may: [/^translation\//, /^adapters\/[^/]+\/adapter\.ts$/] },
  { from: /^adapters\//, may: [/^(base|event|framing|translation)\//] },
  { from: /^projections\/registry\.ts$/, may: [/^projection\//, /^projections\/([^/]+)\/\1\.ts$/] },
  { from: /^projections\//, may: [/^(base|event|projection)\//] },
  { from: /^schema\//, may: [/^(base|event|schema)\//, /^package:zod\/mini$/] },
  { from: /^testing\//, may: [/^(base|event|translation|projection)\//, /^package:fast-check$/] },
  { from: /^index\.ts$/, may: [/^(?!package:|schema\/|testing\/)/] },
];
