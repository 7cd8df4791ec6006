import type { Scenario } from "../scenario.ts";
import { advised } from "./executor/advice.ts";
import { agentMemory } from "./executor/agent-memory.ts";
import { agents } from "./executor/agents.ts";
import { asking } from "./executor/asking.ts";
import { accepting } from "./executor/async.ts";
import { calledRuns } from "./executor/called-runs.ts";
import { callerChecks } from "./executor/caller-checks.ts";
import { cancelling } from "./executor/cancel.ts";
import { chats } from "./executor/chat.ts";
import { chatReplies } from "./executor/chat-replies.ts";
import { code } from "./executor/code.ts";
import { components } from "./executor/components.ts";
import { credentials } from "./executor/credentials.ts";
import { credentialsInUse } from "./executor/credentials-in-use.ts";
import { databases } from "./executor/databases.ts";
import { documents } from "./executor/documents.ts";
import { drafts } from "./executor/drafts.ts";
import { durable } from "./executor/durable.ts";
import { events } from "./executor/events.ts";
import { executions } from "./executor/executions.ts";
import { expressions } from "./executor/expressions.ts";
import { fileAnswers } from "./executor/file-answers.ts";
import { fileRights } from "./executor/file-rights.ts";
import { fileWalk } from "./executor/file-walk.ts";
import { files } from "./executor/files.ts";
import { forms } from "./executor/forms.ts";
import { frontDoor } from "./executor/front-door.ts";
import { googleSheets } from "./executor/google-sheets.ts";
import { http } from "./executor/http.ts";
import { httpFiles } from "./executor/http-files.ts";
import { idempotency } from "./executor/idempotency.ts";
import { keptData } from "./executor/kept-data.ts";
import { keptFiles } from "./executor/kept-files.ts";
import { knowledgeNodes } from "./executor/knowledge.ts";
import { legacy } from "./executor/legacy.ts";
import { limits } from "./executor/limits.ts";
import { llm } from "./executor/llm.ts";
import { madeFiles } from "./executor/made-files.ts";
import { mail } from "./executor/mail.ts";
import { mailboxes } from "./executor/mailboxes.ts";
import { mcpServers } from "./executor/mcp-servers.ts";
import { mcpSignIn } from "./executor/mcp-sign-in.ts";
import { mistakes } from "./executor/mistakes.ts";
import { named } from "./executor/named.ts";
import { anonymousWebhooks } from "./executor/nobody.ts";
import { outputSchemas } from "./executor/output-schemas.ts";
import { overlap } from "./executor/overlap.ts";
import { parsedFiles } from "./executor/parsed-files.ts";
import { pins } from "./executor/pins.ts";
import { polling } from "./executor/polling.ts";
import { queries } from "./executor/queries.ts";
import { quotas } from "./executor/quotas.ts";
import { recipes } from "./executor/recipes.ts";
import { executorRecords } from "./executor/records.ts";
import { repeats } from "./executor/repeats.ts";
import { replaying } from "./executor/replay.ts";
import { results } from "./executor/results.ts";
import { runs } from "./executor/runs.ts";
import { schedule } from "./executor/schedule.ts";
import { signatures } from "./executor/signatures.ts";
import { signingIn } from "./executor/signing-in.ts";
import { state } from "./executor/state.ts";
import { status } from "./executor/status.ts";
import { storeAccess } from "./executor/store-access.ts";
import { switches } from "./executor/switch.ts";
import { tenancy } from "./executor/tenants.ts";
import { tracing } from "./executor/tracing.ts";
import { trash } from "./executor/trash.ts";
import { triggers } from "./executor/triggers.ts";
import { uploads } from "./executor/uploads.ts";
import { versions } from "./executor/versions.ts";
import { waiting } from "./executor/waiting.ts";
import { waitingForEvents } from "./executor/waiting-for-events.ts";
import { webhooks } from "./executor/webhooks.ts";
import { workflowDocuments } from "./executor/workflow-documents.ts";
import { writtenTexts } from "./executor/written-texts.ts";

export const executor: readonly Scenario[] = [
	...documents,
	...webhooks,
	...anonymousWebhooks,
	...triggers,
	...runs,
	...outputSchemas,
	...expressions,
	...repeats,
	...results,
	...executorRecords,
	...tenancy,
	...storeAccess,
	...components,
	...knowledgeNodes,
	...state,
	...named,
	...versions,
	...switches,
	...trash,
	...drafts,
	...pins,
	...workflowDocuments,
	...writtenTexts,
	...advised,
	...mistakes,
	...legacy,
	...executions,
	...keptData,
	...signatures,
	...frontDoor,
	...uploads,
	...callerChecks,
	...files,
	...fileRights,
	...keptFiles,
	...fileAnswers,
	...madeFiles,
	...fileWalk,
	...parsedFiles,
	...forms,
	...limits,
	...quotas,
	...queries,
	...credentials,
	...http,
	...httpFiles,
	...credentialsInUse,
	...signingIn,
	...mcpSignIn,
	...code,
	...databases,
	...mail,
	...mailboxes,
	...googleSheets,
	...llm,
	...mcpServers,
	...agents,
	...agentMemory,
	...chats,
	...chatReplies,
	...recipes,
];

/** Runs that go on without a caller. They take as long as all the others, and so run beside them. */
export const executorBackground: readonly Scenario[] = [
	...schedule,
	...polling,
	...events,
	...overlap,
	...accepting,
	...cancelling,
	...status,
	...durable,
	...calledRuns,
	...replaying,
	...waiting,
	...waitingForEvents,
	...asking,
	...idempotency,
	...tracing,
];
