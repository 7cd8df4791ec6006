import { listSecrets } from "@tripline/components/auth/credential";
import { createTokens } from "@tripline/components/auth/tokens";
import type { Effects, RunDatabases, RunMail } from "@tripline/components/effects";
import type { createOutbound } from "@tripline/components/outbound/create";
import { createPlaceholders } from "@tripline/components/outbound/placeholders";
import type { LoadCredential } from "@tripline/components/outbound/used-credentials";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Clock } from "@tripline/platform/clock";
import type { Databases } from "@tripline/platform/databases";
import type { Folders } from "@tripline/platform/folders";
import type { OutboundHttp } from "@tripline/platform/http";
import type { Mail } from "@tripline/platform/mail";
import type { Mailboxes } from "@tripline/platform/mailboxes";
import { tracedSend } from "@tripline/platform/traced";
import type { Tracing } from "@tripline/platform/tracing";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { SignInSessions } from "../sign-in/sessions.ts";
import type { Vault } from "../vault/vault.ts";

export type Outbound = ReturnType<typeof outbound>;
export type RunOutbound = Pick<Effects, "http" | "databases" | "mail" | "credentialText">;

/** Remembers the secrets that a run has used, to mask them in what is kept of it. */
export interface SecretsRecorder {
	addSecrets(credential: string, values: readonly string[]): void;
}

/** Outbound calls, with the credentials of the run's namespace only. */
export function outbound(deps: {
	readonly send: OutboundHttp["send"];
	/** Null: the platform reaches none. */
	readonly databases: Databases | null;
	/** Null: the platform reaches no mail server. */
	readonly mail: Mail | null;
	/** Null: mails start no workflows. */
	readonly mailboxes: Mailboxes | null;
	/** Of SQLite files. */
	readonly folders: Folders | null;
	readonly vault: Vault;
	readonly catalogues: Catalogues;
	readonly sessions: SignInSessions;
	readonly clock: Clock;
	/** True on Workers: a request must not await another request's promise. */
	readonly isolatesRequests: boolean;
	/** Null: calls are not traced. */
	readonly tracing: Tracing | null;
}) {
	const send = deps.tracing === null ? deps.send : tracedSend(deps.send, deps.tracing);
	const { databases, mail, mailboxes, vault, catalogues, sessions, clock } = deps;
	const tokens = createTokens({ clock, sharesPromises: !deps.isolatesRequests });
	let loaded: typeof createOutbound | undefined;

	return {
		/** For what reads without a run. */
		loadCredential: resolveCredential,

		/** Connects and logs in with a credential. Null: there is none of that name. */
		async testConnection(namespace: string, name: string) {
			const credential = await resolveCredential(namespace, name);
			if (credential === null) return null;
			const { testConnection } = await import("@tripline/components/auth/test-connection");
			const { type } = credential.recipe;
			return { type, result: await testConnection({ name, ...credential }, { databases, mail, mailboxes }) };
		},

		/** Placeholders belong to one run: a leaked placeholder means nothing in the input of another run. */
		forRun(namespace: string | null, used?: SecretsRecorder): RunOutbound {
			const placeholders = createPlaceholders();
			const recordSecrets = (name: string, values: readonly string[]) => used?.addSecrets(name, values);
			const credential = async (name: string) => {
				const found = await resolveCredential(namespace, name);
				if (found !== null) recordSecrets(name, listSecrets({ name, ...found }));
				return found;
			};
			let http: Effects["http"] | undefined;
			return {
				databases: databases === null ? null : openDatabases(databases, credential, namespace),
				mail: mail === null ? null : openMail(mail, credential),
				credentialText: (name, field) => placeholders.text(name, field),
				async http(call, signal) {
					const create = loaded ?? (await load());
					http ??= create({ send, clock, tokens, placeholders, credential, recordSecrets });
					return http(call, signal);
				},
			};
		},
	};

	function openDatabases(
		reached: Databases,
		credential: LoadCredential,
		namespace: string | null,
	): RunDatabases {
		// Anybody may have created a webhook without an owner.
		const folders = namespace === null ? null : deps.folders;
		const open = async () => {
			const { createRunDatabases } = await import("@tripline/components/sql-query/create");
			return createRunDatabases(reached, credential, folders);
		};
		return {
			run: async (...call) => (await open()).run(...call),
			async *read(...call) {
				yield* (await open()).read(...call);
			},
		};
	}

	function openMail(reached: Mail, credential: LoadCredential): RunMail {
		return {
			async send(...call) {
				const { createRunMail } = await import("@tripline/components/email-send/create");
				return createRunMail(reached, credential).send(...call);
			},
		};
	}

	/** Loaded by the first call, so that the service starts faster. */
	async function load(): Promise<typeof createOutbound> {
		loaded = (await import("@tripline/components/outbound/create")).createOutbound;
		return loaded;
	}

	async function resolveCredential(namespace: string | null, name: string) {
		if (namespace === null) {
			throw new TerminalError(
				"this run belongs to no namespace, so it has no credentials: create the webhook, or call it, with the header X-Service-API-Key",
			);
		}
		const credential = await vault.reveal(namespace, name);
		if (credential === null) return null;
		const { auth_recipe, put } = credential;
		const recipe = (await catalogues.catalogue(namespace)).findAuthRecipe(auth_recipe);
		if (recipe === null) {
			throw new TerminalError(
				`the auth recipe ${JSON.stringify(auth_recipe)} of the credential ${JSON.stringify(name)} no longer exists`,
			);
		}
		const opened = sessions.open(namespace, name, recipe, credential);
		return { recipe, ...opened, key: `${namespace}\n${name}\n${put}` };
	}
}
