import type { Command } from "./command.ts";
import {
	authRecipeListCommand,
	authRecipePushCommand,
	authRecipeShowCommand,
} from "./commands/auth-recipe.ts";
import { chatLinkCommand } from "./commands/chat-link.ts";
import { buildCompletionCommand } from "./commands/completion.ts";
import {
	componentsInstallCommand,
	componentsSearchCommand,
	componentsShowCommand,
	partsInstallCommand,
	partsSearchCommand,
	partsShowCommand,
} from "./commands/components.ts";
import { configCommand, configGetCommand, configSetCommand, configUnsetCommand } from "./commands/config.ts";
import {
	conversationsDeleteCommand,
	conversationsListCommand,
	conversationsShowCommand,
} from "./commands/conversations.ts";
import {
	credsListCommand,
	credsPushCommand,
	credsSignInCommand,
	credsTestCommand,
} from "./commands/creds.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { downgradeCommand } from "./commands/downgrade.ts";
import { evalCommand } from "./commands/eval.ts";
import {
	executionsCancelCommand,
	executionsCommand,
	executionsReplayCommand,
	executionsShowCommand,
	executionsWatchCommand,
} from "./commands/executions.ts";
import {
	filesDeleteCommand,
	filesDownloadCommand,
	filesLinkCommand,
	filesListCommand,
	filesShowCommand,
	filesUploadCommand,
} from "./commands/files.ts";
import { initCommand } from "./commands/init.ts";
import { listCommand } from "./commands/list.ts";
import { logsCommand } from "./commands/logs.ts";
import {
	mcpAcceptCommand,
	mcpAddCommand,
	mcpListCommand,
	mcpRefreshCommand,
	mcpRemoveCommand,
	mcpShowCommand,
	mcpSignInCommand,
} from "./commands/mcp.ts";
import { mcpSetupCommand } from "./commands/mcp-setup.ts";
import { moveCommand } from "./commands/move.ts";
import { promoteCommand } from "./commands/promote.ts";
import { pullCommand } from "./commands/pull.ts";
import { pushCommand } from "./commands/push.ts";
import { answerCommand, questionsCommand } from "./commands/questions.ts";
import { recipeFromOpenapiCommand } from "./commands/recipe.ts";
import { runCommand } from "./commands/run.ts";
import { serveCommand } from "./commands/serve.ts";
import { addServiceFlag } from "./commands/service-flag.ts";
import { statusCommand } from "./commands/status.ts";
import { deleteCommand, restoreCommand, trashCommand } from "./commands/trash.ts";
import { triggersCommand } from "./commands/triggers.ts";
import { updateCommand } from "./commands/update.ts";
import { validateCommand } from "./commands/validate.ts";
import { vaultCommand } from "./commands/vault.ts";
import {
	diffCommand,
	disableCommand,
	enableCommand,
	renameCommand,
	rollbackCommand,
	versionsCommand,
} from "./commands/versions.ts";
import { waitingCommand } from "./commands/waiting.ts";
import {
	webhooksCreateCommand,
	webhooksDeleteCommand,
	webhooksListCommand,
	webhooksTestCommand,
} from "./commands/webhooks.ts";

const workflowCommands = [
	pushCommand,
	pullCommand,
	validateCommand,
	listCommand,
	runCommand,
	triggersCommand,
	chatLinkCommand,
	evalCommand,
	versionsCommand,
	diffCommand,
	rollbackCommand,
	enableCommand,
	disableCommand,
	renameCommand,
	deleteCommand,
	trashCommand,
	restoreCommand,
];

const otherRemoteCommands = [
	statusCommand,
	webhooksListCommand,
	webhooksCreateCommand,
	webhooksDeleteCommand,
	webhooksTestCommand,
	logsCommand,
	executionsCommand,
	executionsShowCommand,
	executionsWatchCommand,
	executionsCancelCommand,
	executionsReplayCommand,
	waitingCommand,
	questionsCommand,
	answerCommand,
	conversationsListCommand,
	conversationsShowCommand,
	conversationsDeleteCommand,
	filesListCommand,
	filesShowCommand,
	filesUploadCommand,
	filesDownloadCommand,
	filesLinkCommand,
	filesDeleteCommand,
	componentsSearchCommand,
	componentsShowCommand,
	componentsInstallCommand,
	partsSearchCommand,
	partsShowCommand,
	partsInstallCommand,
	credsPushCommand,
	credsListCommand,
	credsSignInCommand,
	credsTestCommand,
	authRecipeListCommand,
	authRecipeShowCommand,
	authRecipePushCommand,
	recipeFromOpenapiCommand,
	mcpAddCommand,
	mcpListCommand,
	mcpShowCommand,
	mcpSignInCommand,
	mcpRefreshCommand,
	mcpAcceptCommand,
	mcpRemoveCommand,
	configCommand,
	configGetCommand,
];

/** In the order in which the help lists them. */
export const commands: readonly Command[] = [
	initCommand,
	updateCommand,
	...workflowCommands.map(addServiceFlag),
	promoteCommand,
	...otherRemoteCommands.map(addServiceFlag),
	configSetCommand,
	configUnsetCommand,
	mcpSetupCommand,
	serveCommand,
	doctorCommand,
	moveCommand,
	vaultCommand,
	downgradeCommand,
	buildCompletionCommand(() => commands),
];
