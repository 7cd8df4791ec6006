import type { ConnectionTest } from "@tripline/contract/credentials";
import type { Databases } from "@tripline/platform/databases";
import type { Mail } from "@tripline/platform/mail";
import type { Mailboxes } from "@tripline/platform/mailboxes";
import { toMailServer } from "../email-send/server.ts";
import { cleanError } from "../outbound/clean-error.ts";
import { redactor } from "../outbound/redact.ts";
import { toDatabase } from "../sql-query/database.ts";
import { type Credential, listSecrets } from "./credential.ts";

/** Where credentials log in. Null: the platform reaches none. */
export interface LoginPorts {
	readonly databases: Databases | null;
	readonly mail: Mail | null;
	readonly mailboxes: Mailboxes | null;
}

/** Logs in and resolves with what it reached. Rejects if it cannot. */
type LogIn = (credential: Credential, ports: LoginPorts, signal: AbortSignal) => Promise<string>;

const ONLY_ON_NODE = "a service on Cloudflare cannot connect to this kind of server: use a service on Node";
const TIMEOUT_MS = 10_000;

/** By the type of auth recipe, and the protocol where a type has several. */
const LOGINS: Readonly<Record<string, LogIn>> = {
	async database(credential, { databases }, signal) {
		if (databases === null) throw new Error(ONLY_ON_NODE);
		const database = toDatabase(credential);
		const job = {
			statements: [{ sql: "select 1", params: [] }],
			isReadOnly: true,
			maxRows: 1,
			maxBytes: 1_024,
		};
		// A connection of its own: one that is open already says nothing about the login.
		await databases.run({ ...database, key: `${database.key}\n${crypto.randomUUID()}` }, job, signal);
		return `${database.user} is logged in at ${database.hostname}, database ${database.database}`;
	},
	async smtp(credential, { mail }, signal) {
		if (mail === null) throw new Error(ONLY_ON_NODE);
		const server = toMailServer(credential, "smtp");
		await mail.check(server, signal);
		return server.login === null
			? `${server.hostname} accepts the connection without a login`
			: `${server.login.user} is logged in at ${server.hostname}`;
	},
	async imap(credential, { mailboxes }, signal) {
		if (mailboxes === null) throw new Error(ONLY_ON_NODE);
		const server = toMailServer(credential, "imap");
		const inbox = { owner: credential.key, name: "INBOX", targets: [], isWritten: false };
		(await mailboxes.open(server, inbox, signal)).close();
		return `${server.login?.user} is logged in at ${server.hostname}, mailbox INBOX`;
	},
};

/** Connects, logs in and says in plain words what happened. Null: the credential logs in nowhere. */
export async function testConnection(
	credential: Credential,
	ports: LoginPorts,
): Promise<ConnectionTest | null> {
	const logIn = findLogin(credential.recipe);
	if (logIn === undefined) return null;
	const clean = redactor(listSecrets(credential));
	const timeout = AbortSignal.timeout(TIMEOUT_MS);
	try {
		return { ok: true, message: clean.text(await logIn(credential, ports, timeout)) };
	} catch (error) {
		if (timeout.aborted)
			return { ok: false, message: `the server did not answer within ${TIMEOUT_MS / 1_000} seconds` };
		return { ok: false, message: cleanError(error, clean, Error).message };
	}
}

function findLogin(recipe: Credential["recipe"]): LogIn | undefined {
	const kind = recipe.type === "mail" ? recipe.inject.protocol : recipe.type;
	return Object.hasOwn(LOGINS, kind) ? LOGINS[kind] : undefined;
}
