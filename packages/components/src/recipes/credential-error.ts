import { describeAdding } from "@tripline/engine/add-credential";
import { TerminalError } from "@tripline/engine/terminal-error";

/** For a node without a credential that needs one of these auth recipes. */
export const createCredentialError = (authRecipes: readonly string[]): TerminalError =>
	new TerminalError(
		`needs a credential of ${authRecipes.join(" or ")}: add one ${describeAdding(authRecipes)} (or with PUT /credentials/{name} and "auth_recipe": "${authRecipes[0]}"), then set it as this node's credential`,
	);
