import { TerminalError } from "@tripline/engine/terminal-error";
import type { MailServer } from "@tripline/platform/mail";
import { type Credential, fillFields } from "../auth/credential.ts";
import { readServerAddress } from "../auth/server-address.ts";

type Protocol = "smtp" | "imap";

/** By protocol: the usual port, and the one at which TLS starts at once. */
const PORTS: Readonly<Record<Protocol, { readonly usual: number; readonly implicit: number }>> = {
	smtp: { usual: 587, implicit: 465 },
	imap: { usual: 993, implicit: 993 },
};

/** What a credential says about its mail server. Its secret goes to no other host than the one that it names. */
export function toMailServer(credential: Credential, protocol: Protocol): MailServer {
	const { name, key, recipe } = credential;
	if (recipe.type !== "mail" || recipe.inject.protocol !== protocol)
		throw new TerminalError(
			`credential ${JSON.stringify(name)} is not one of a mail server with ${protocol.toUpperCase()}`,
		);
	const { inject } = recipe;
	const { hostname, port = PORTS[protocol].usual } = readServerAddress(credential);
	const [user, password, tls, trust] = [inject.user, inject.password, inject.tls ?? "", inject.ca ?? ""].map(
		(text) => fillFields(text, credential),
	) as [string, string, string, string];
	if ((user === "") !== (password === ""))
		throw new TerminalError(
			`credential ${JSON.stringify(name)} must have both user and password, or neither of them`,
		);
	const settings = {
		hostname,
		port,
		tls: readTls(tls, port === PORTS[protocol].implicit ? "implicit" : "starttls", name),
		...(trust !== "" && { trust }),
	};
	return {
		...settings,
		// The recipe may change while the credential stays.
		key: JSON.stringify([key, settings, user]),
		login: user === "" ? null : { user, password },
	};
}

function readTls(text: string, byPort: "implicit" | "starttls", name: string): MailServer["tls"] {
	if (text === "" || text === "verify") return byPort;
	if (text === "off" || text === "implicit" || text === "starttls") return text;
	throw new TerminalError(
		`credential ${JSON.stringify(name)} must have starttls, implicit or off in its field tls, or nothing`,
	);
}
