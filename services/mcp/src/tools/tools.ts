import { answerQuestion } from "./answer-question.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { createSignInLink } from "./create-sign-in-link.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWorkflow } from "./delete-workflow.ts";
import { exploreGraph } from "./explore-graph.ts";
import { getComponent } from "./get-component.ts";
import { getEntry } from "./get-entry.ts";
import { getExecution } from "./get-execution.ts";
import { getFile } from "./get-file.ts";
import { getWorkflow } from "./get-workflow.ts";
import { importOpenapi } from "./import-openapi.ts";
import { ingestTriplet } from "./ingest-triplet.ts";
import { listComponents } from "./list-components.ts";
import { listFiles } from "./list-files.ts";
import { listRecentExecutions } from "./list-recent-executions.ts";
import { listVersions } from "./list-versions.ts";
import { listWaiting } from "./list-waiting.ts";
import { listWorkflows } from "./list-workflows.ts";
import { manageConversations } from "./manage-conversations.ts";
import { manageMcpServers } from "./manage-mcp-servers.ts";
import { replayExecution } from "./replay-execution.ts";
import { rollbackWorkflow } from "./rollback-workflow.ts";
import { runWorkflow } from "./run-workflow.ts";
import { saveEntry } from "./save-entry.ts";
import { saveFile } from "./save-file.ts";
import { saveWorkflow } from "./save-workflow.ts";
import { searchKnowledge } from "./search-knowledge.ts";
import { setWorkflowEnabled } from "./set-workflow-enabled.ts";
import type { Tool } from "./tool.ts";
import { traceSources } from "./trace-sources.ts";
import { validateWorkflow } from "./validate-workflow.ts";

/** The tools of every tenant, in the order in which clients see them. */
export const tools: readonly Tool[] = [
	listWorkflows,
	getWorkflow,
	validateWorkflow,
	saveWorkflow,
	listVersions,
	runWorkflow,
	listRecentExecutions,
	getExecution,
	listComponents,
	getComponent,
	importOpenapi,
	searchKnowledge,
	getEntry,
	saveEntry,
	ingestTriplet,
	exploreGraph,
	traceSources,
	createWebhook,
	listFiles,
	getFile,
	saveFile,
	rollbackWorkflow,
	deleteWorkflow,
	setWorkflowEnabled,
	cancelExecution,
	replayExecution,
	listWaiting,
	answerQuestion,
	createSignInLink,
	manageMcpServers,
	manageConversations,
];
