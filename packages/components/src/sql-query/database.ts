import { TerminalError } from "@tripline/engine/terminal-error";
import type { Database } from "@tripline/platform/databases";
import { type Credential, fillFields, fillRequired } from "../auth/credential.ts";
import { readServerAddress } from "../auth/server-address.ts";

/** Types of credentials that log in at a database. */
export const AUTH_RECIPES: readonly string[] = ["postgresql", "mysql"];

const USUAL_PORTS: Readonly<Record<Database["engine"], number>> = { postgresql: 5432, mysql: 3306 };

/** What a credential says about its database. Its secret goes to no other host than the one that it names. */
export function toDatabase(credential: Credential): Database {
	const { name, key, recipe } = credential;
	if (recipe.type !== "database")
		throw new TerminalError(`credential ${JSON.stringify(name)} is not one of a database`);
	const { inject } = recipe;
	const { hostname, port = USUAL_PORTS[inject.engine] } = readServerAddress(credential);
	const trust = fillFields(inject.ca ?? "", credential);
	const settings = {
		engine: inject.engine,
		hostname,
		port,
		database: fillRequired("database", inject.database, credential),
		user: fillRequired("user", inject.user, credential),
		usesTls: readTls(fillFields(inject.tls ?? "", credential), name),
		...(trust !== "" && { trust }),
	};
	return {
		...settings,
		// The recipe may change while the credential stays.
		key: JSON.stringify([key, settings]),
		password: fillRequired("password", inject.password, credential),
	};
}

function readTls(text: string, name: string): boolean {
	if (text === "off") return false;
	if (text === "" || text === "verify") return true;
	throw new TerminalError(`credential ${JSON.stringify(name)} must have verify or off in its field tls`);
}
