import type { Command } from "./command.ts";
import {
	authRecipeListCommand,
	authRecipePushCommand,
	authRecipeShowCommand,
} from "./commands/auth-recipe.ts";
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
import { credsPushCommand } from "./commands/creds.ts";
import { executionsCommand, executionsShowCommand } from "./commands/executions.ts";
import { initCommand } from "./commands/init.ts";
import { mcpSetupCommand } from "./commands/mcp-setup.ts";
import { pushCommand } from "./commands/push.ts";
import { runCommand } from "./commands/run.ts";
import { serveCommand } from "./commands/serve.ts";
import { updateCommand } from "./commands/update.ts";
import { validateCommand } from "./commands/validate.ts";
import {
	webhooksCreateCommand,
	webhooksDeleteCommand,
	webhooksListCommand,
	webhooksTestCommand,
} from "./commands/webhooks.ts";

/** In the order in which the help lists them. */
export const commands: readonly Command[] = [
	initCommand,
	updateCommand,
	pushCommand,
	runCommand,
	validateCommand,
	webhooksListCommand,
	webhooksCreateCommand,
	webhooksDeleteCommand,
	webhooksTestCommand,
	executionsCommand,
	executionsShowCommand,
	componentsSearchCommand,
	componentsShowCommand,
	componentsInstallCommand,
	partsSearchCommand,
	partsShowCommand,
	partsInstallCommand,
	credsPushCommand,
	authRecipeListCommand,
	authRecipeShowCommand,
	authRecipePushCommand,
	configCommand,
	configGetCommand,
	configSetCommand,
	configUnsetCommand,
	mcpSetupCommand,
	serveCommand,
	buildCompletionCommand(() => commands),
];
