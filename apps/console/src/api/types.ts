import type { ChatConversation } from "@tripline/contract/chat";
import type {
	CredentialList,
	SignInLink as SignInLinkSchema,
	WriteCredential,
} from "@tripline/contract/credentials";
import type { EntryPage } from "@tripline/contract/entries";
import type { ExecutionPage } from "@tripline/contract/execution-log";
import type {
	ComponentDetail as ComponentDetailSchema,
	ComponentList,
	ExecutionDetail as ExecutionDetailSchema,
	PortalWorkflows,
	ReplayExecution,
	SavedWorkflow as SavedWorkflowSchema,
	UnfinishedPage,
	Validation as ValidationSchema,
} from "@tripline/contract/executor";
import type { StoredFileList } from "@tripline/contract/files";
import type {
	Belief as BeliefSchema,
	FoundTriplets,
	Neighbors as NeighborsSchema,
	NodeSources as NodeSourcesSchema,
	Traversal as TraversalSchema,
} from "@tripline/contract/graph";
import type { GuiConnect, GuiSession, GuiTokens, GuiVerifyReport, GuiWorkflow } from "@tripline/contract/gui";
import type { ComponentPage } from "@tripline/contract/market";
import type {
	McpServerList,
	McpServer as McpServerSchema,
	WriteMcpServer as WriteMcpServerSchema,
} from "@tripline/contract/mcp-servers";
import type { McpSignIn as McpSignInSchema } from "@tripline/contract/mcp-sign-in";
import type { QuestionPage } from "@tripline/contract/questions";
import type { ApiRecipeList, AuthRecipeList } from "@tripline/contract/recipes";
import type {
	ChangedWorkflow as ChangedWorkflowSchema,
	WorkflowVersionText,
} from "@tripline/contract/workflow-versions";
import type * as z from "zod";

export type { ChatLink } from "@tripline/contract/chat";
export type {
	Conversation,
	ConversationFacts,
	ConversationName,
	ConversationPage as Conversations,
	TurnPage as ConversationTurns,
} from "@tripline/contract/conversations";
export type { Entry } from "@tripline/contract/entries";
export type { ExecutionRecord } from "@tripline/contract/execution-log";
export type { UnfinishedExecution } from "@tripline/contract/executor";
export type { FileLink, FileValue, StoredFile } from "@tripline/contract/files";
export type { GuiGraphStart as GraphStart, GuiOverview as Overview } from "@tripline/contract/gui";
export type { ExecutionSettings, KeptData, KeptNode, KeptValue } from "@tripline/contract/kept-data";
export type {
	ComponentAnswer as MarketDetail,
	VersionAnswer as MarketVersion,
} from "@tripline/contract/market";
export type { McpToolChanges } from "@tripline/contract/mcp-servers";
export type { DescribedOperations, ImportDescription, ImportedRecipe } from "@tripline/contract/openapi";
export type ChatTurns = z.output<typeof ChatConversation>;
export type { OpenQuestion } from "@tripline/contract/questions";
export type { ApiOperation, WriteApiRecipe } from "@tripline/contract/recipes";
export type { Suggestion } from "@tripline/contract/search";
export type { GuiStatus as Status, Notice } from "@tripline/contract/status";
export type { Triplet } from "@tripline/contract/triplets";
export type {
	DeletedWorkflow,
	DeletedWorkflowPage as DeletedWorkflows,
	WorkflowDiff as Diff,
	WorkflowDraft,
	WorkflowVersion as Version,
	WorkflowVersionPage as Versions,
} from "@tripline/contract/workflow-versions";
export type {
	Diagnostic,
	Graph,
	JsonObject,
	NodeEvent,
	NodeTrace,
	Relation,
	RunProblem,
	RunResult,
} from "@tripline/contract/workflows";

export type SessionInfo = z.output<typeof GuiSession>;
export type WorkflowItem = z.output<typeof PortalWorkflows>["workflows"][number];
export type WorkflowDetail = z.output<typeof GuiWorkflow>;
export type Validation = z.output<typeof ValidationSchema>;
export type SavedWorkflow = z.output<typeof SavedWorkflowSchema>;
export type ChangedWorkflow = z.output<typeof ChangedWorkflowSchema>;
export type VersionText = z.output<typeof WorkflowVersionText>;
/** A version by its number, or the draft. */
export type Side = number | "draft";
export type Executions = z.output<typeof ExecutionPage>;
export type ExecutionDetail = z.output<typeof ExecutionDetailSchema>;
export type Unfinished = z.output<typeof UnfinishedPage>;
export type ReplayRequest = z.input<typeof ReplayExecution>;
export type Questions = z.output<typeof QuestionPage>;
export type Entries = z.output<typeof EntryPage>;
export type Neighbors = z.output<typeof NeighborsSchema>;
export type Traversal = z.output<typeof TraversalSchema>;
export type TripletsFound = z.output<typeof FoundTriplets>;
export type NodeSources = z.output<typeof NodeSourcesSchema>;
export type Belief = z.output<typeof BeliefSchema>;
export type ComponentItem = z.output<typeof ComponentList>["components"][number];
export type ComponentDetail = z.output<typeof ComponentDetailSchema>;
export type MarketPage = z.output<typeof ComponentPage>;
export type MarketItem = MarketPage["components"][number];
export type Credential = z.output<typeof CredentialList>["credentials"][number];
export type CredentialWrite = z.input<typeof WriteCredential>;
export type SignInLink = z.output<typeof SignInLinkSchema>;
export type RecipeItem = z.output<typeof ApiRecipeList>["recipes"][number];
export type AuthRecipe = z.output<typeof AuthRecipeList>["auth_recipes"][number];
export type McpServerItem = z.output<typeof McpServerList>["mcp_servers"][number];
export type McpServer = z.output<typeof McpServerSchema>;
export type WriteMcpServer = z.input<typeof WriteMcpServerSchema>;
export type McpSignIn = z.input<typeof McpSignInSchema>;
export type Tokens = z.output<typeof GuiTokens>;
export type Connect = z.output<typeof GuiConnect>;
export type VerifyReport = z.output<typeof GuiVerifyReport>;
export type Files = z.output<typeof StoredFileList>;
