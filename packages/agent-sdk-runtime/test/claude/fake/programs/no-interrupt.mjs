// Never answers `interrupt`, and goes on.
import { serve } from "../fake-cli.ts";

await serve(() => new Promise(() => setInterval(() => undefined, 60_000)), { silent: ["interrupt"] });
