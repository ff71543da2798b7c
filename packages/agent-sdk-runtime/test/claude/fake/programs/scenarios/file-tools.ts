import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { failed, gives, text, type Tool } from "./tool.ts";

const write: Tool = ({ input }) => {
  const [filePath, content] = [text(input, "file_path"), text(input, "content")];
  const originalFile = existsSync(filePath) ? readFileSync(filePath, "utf8") : null;
  writeFileSync(filePath, content);
  const type = originalFile === null ? "create" : "update";
  return gives(`File created successfully at: ${filePath}`, { type, filePath, content, originalFile });
};

const edit: Tool = ({ input }) => {
  const [filePath, oldString, newString] = ["file_path", "old_string", "new_string"].map((name) =>
    text(input, name),
  ) as [string, string, string];
  const originalFile = readFileSync(filePath, "utf8");
  if (!originalFile.includes(oldString)) return failed("String to replace not found in file.");
  writeFileSync(filePath, originalFile.replace(oldString, newString));
  const result = { filePath, oldString, newString, originalFile, structuredPatch: [] };
  return gives(`The file ${filePath} has been updated successfully.`, result);
};

const read: Tool = ({ input }) => {
  const filePath = text(input, "file_path");
  if (!existsSync(filePath)) return failed("File does not exist.");
  const content = readFileSync(filePath, "utf8");
  return gives(content, { type: "text", file: { filePath, content } });
};

const notebookEdit: Tool = ({ input }) => {
  const [path, source] = [text(input, "notebook_path"), text(input, "new_source")];
  const notebook = JSON.parse(readFileSync(path, "utf8")) as {
    readonly cells: { id: string; source: unknown }[];
  };
  for (const cell of notebook.cells) if (cell.id === input["cell_id"]) cell.source = source;
  writeFileSync(path, JSON.stringify(notebook));
  return gives(`Updated cell ${text(input, "cell_id")} with ${source}`, { notebook_path: path });
};

const glob: Tool = ({ input }) => {
  const filenames = globSync(text(input, "pattern"));
  return gives(filenames.join("\n"), { filenames });
};

const grep: Tool = ({ input }) => {
  const found = globSync("*").flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        line.includes(text(input, "pattern")) ? `${file}:${index + 1}:${line}` : [],
      ),
  );
  return gives(found.join("\n"), { mode: "content", content: found.join("\n") });
};

/** Tools that look at files and change them. */
export const fileTools: readonly (readonly [string, Tool])[] = [
  ["Write", write],
  ["Edit", edit],
  ["Read", read],
  ["NotebookEdit", notebookEdit],
  ["Glob", glob],
  ["Grep", grep],
];
