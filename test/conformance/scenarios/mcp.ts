import type { Scenario } from "../scenario.ts";
import { bearers } from "./mcp/bearers.ts";
import { cancelling } from "./mcp/cancelling.ts";
import { exposing } from "./mcp/exposed.ts";
import { mcpFiles } from "./mcp/files.ts";
import { gui } from "./mcp/gui.ts";
import { guiCalling } from "./mcp/gui-calling.ts";
import { guiData } from "./mcp/gui-data.ts";
import { guiKeptData } from "./mcp/gui-kept-data.ts";
import { guiRuns } from "./mcp/gui-runs.ts";
import { guiVersions } from "./mcp/gui-versions.ts";
import { guiWatch } from "./mcp/gui-watch.ts";
import { knowledgeTools } from "./mcp/knowledge-tools.ts";
import { longResults } from "./mcp/long-results.ts";
import { oauth } from "./mcp/oauth.ts";
import { origins } from "./mcp/origins.ts";
import { protocol } from "./mcp/protocol.ts";
import { questionTools } from "./mcp/question-tools.ts";
import { reading } from "./mcp/reading.ts";
import { refusals } from "./mcp/refusals.ts";
import { runTools } from "./mcp/run-tools.ts";
import { versionTools } from "./mcp/version-tools.ts";
import { workflowTools } from "./mcp/workflow-tools.ts";

export const mcp: readonly Scenario[] = [
	...oauth,
	...refusals,
	...bearers,
	...protocol,
	...workflowTools,
	...versionTools,
	...runTools,
	...questionTools,
	...knowledgeTools,
	...exposing,
	...reading,
	...longResults,
	...cancelling,
	...origins,
	...gui,
	...guiData,
	...guiWatch,
	...guiVersions,
	...guiKeptData,
	...guiRuns,
	...guiCalling,
	...mcpFiles,
];
