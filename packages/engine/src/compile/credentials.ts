import type { Json } from "@tripline/contract/json";
import { AUTH_FIELDS, type AuthScheme, type HandshakeScheme } from "@tripline/contract/webhook-trigger";
import type { Trigger } from "@tripline/contract/workflows";
import { describeAdding } from "../add-credential.ts";
import { type Component, mayHaveCredential } from "../component.ts";
import type { Definition, Positions } from "../definition.ts";
import { type Path, quoteText, type Report, type Spot } from "../diagnostics.ts";
import { parseTemplate } from "../expressions/template-syntax.ts";
import type { Meter } from "../meter.ts";
import type { CompiledNode } from "./plan.ts";

/** What is known about a stored credential; never a value. */
interface StoredCredential {
	readonly auth_recipe: string;
	/** Names of the fields that have a value. */
	readonly fields: readonly string[];
}

export type StoredCredentials = ReadonlyMap<string, StoredCredential>;

/** Its credentials verify signed webhooks and are never sent. Built in, so its id is certain. */
const SIGNING_SECRET = "signing_secret";
/** Its credentials read mailboxes. */
const IMAP = "imap";

/** Finds credentials that do not exist or cannot be used where they are named. */
export function checkCredentials(
	{ graph, options, trigger }: Definition,
	stored: StoredCredentials,
	/** In the order of the graph's nodes. */
	nodes: readonly Pick<CompiledNode<never>, "component" | "steps">[],
	positions: Positions,
	report: Report,
): void {
	for (const [place, { id, component, credential, params }] of graph.nodes.entries()) {
		const spots = positions.nodes.get(id);
		const { component: found = null, steps } = nodes[place] ?? {};
		if (credential !== undefined)
			checkSetting(credential, component, found, spots?.credential ?? { path: [] });
		for (const step of steps ?? []) {
			if (step.credential === undefined || step.written === undefined) continue;
			const path = [...step.written.path, "credential"];
			checkSetting(step.credential, step.component.id, step.component, spots?.params(path) ?? { path });
		}
		forEachReference(params, [], report.meter, (name, field, path, offset) =>
			checkField(name, field, { ...(spots?.params(path) ?? { path }), offset }),
		);
	}
	if (options.signature)
		checkSecret(options.signature.credential, { path: ["options", "signature", "credential"] });
	if (trigger?.type === "webhook") checkWebhook(trigger);
	if (trigger?.email !== undefined) {
		const path = ["trigger", "email", "credential"];
		checkKind(trigger.email.credential, [IMAP], "a mailbox", { path });
	}

	/** Null: it does not exist, which has been reported. */
	function findStored(name: string, kinds: readonly string[], spot: Spot): StoredCredential | null {
		const found = stored.get(name);
		if (found !== undefined) return found;
		const message = `credential ${quoteText(name)} does not exist yet: the run will fail without it`;
		report.warning("missing_credential", message, spot, `The owner adds it ${describeAdding(kinds, name)}`);
		return null;
	}

	function checkSetting(name: string, component: string, found: Component<never> | null, spot: Spot): void {
		const { authRecipes = [], alwaysUsesCredential = true } = found ?? {};
		const credential = findStored(name, authRecipes, spot);
		if (credential === null || found === null || !mayHaveCredential(found)) return;
		const { auth_recipe } = credential;
		if (authRecipes.length === 0 ? auth_recipe !== SIGNING_SECRET : authRecipes.includes(auth_recipe)) return;
		const needed = authRecipes.length === 0 ? "one that can be sent" : authRecipes.join(" or ");
		const message = `credential ${quoteText(name)} has the type ${auth_recipe}, but ${component} needs ${needed}`;
		const hint = () => adviseKinds(authRecipes);
		if (alwaysUsesCredential) report.error("wrong_credential", message, spot, hint);
		else report.warning("wrong_credential", message, spot, hint);
	}

	function adviseKinds(kinds: readonly string[]): string {
		const fitting = [...stored].filter(([, { auth_recipe }]) => kinds.includes(auth_recipe));
		const names = fitting.slice(0, MAX_NAMES).map(([each]) => quoteText(each));
		return names.length > 0 ? `Use ${names.join(" or ")}` : `The owner adds one ${describeAdding(kinds)}`;
	}

	/** Of a trigger, which has no component. */
	function checkKind(name: string, kinds: readonly string[], purpose: string, spot: Spot): void {
		const credential = findStored(name, kinds, spot);
		if (credential === null || kinds.includes(credential.auth_recipe)) return;
		const message = `credential ${quoteText(name)} has the type ${credential.auth_recipe}, but ${purpose} needs ${kinds.join(" or ")}`;
		report.error("wrong_credential", message, spot, () => adviseKinds(kinds));
	}

	function checkField(name: string, field: string | null, spot: Spot): void {
		const credential = findStored(name, [], spot);
		if (credential === null || field === null || credential.fields.includes(field)) return;
		const message = `credential ${quoteText(name)} has no field ${quoteText(field)}`;
		report.error("wrong_credential", message, spot, `It has ${credential.fields.join(", ")}`);
	}

	function checkWebhook({ signature, handshake, auth }: Trigger): void {
		const at = (key: string) => ({ path: ["trigger", key, "credential"] });
		if (signature !== undefined) checkSecret(signature.credential, at("signature"));
		if (typeof handshake === "object" && handshake.credential !== undefined && usesSecret(handshake.scheme))
			checkSecret(handshake.credential, at("handshake"));
		if (auth !== undefined) checkVerifier(auth.credential, AUTH_FIELDS[auth.scheme], auth.scheme, at("auth"));
	}

	function checkSecret(name: string, spot: Spot): void {
		checkVerifier(name, [["secret"]], null, spot);
	}

	/** A warning: the console and assistants run the workflow without a signature. */
	function checkVerifier(
		name: string,
		fields: readonly (readonly string[])[],
		scheme: AuthScheme | null,
		spot: Spot,
	): void {
		const kinds = scheme === null ? [SIGNING_SECRET] : AUTH_KINDS[scheme];
		const credential = findStored(name, kinds, spot);
		if (credential === null) return;
		if (fields.some((names) => names.every((each) => credential.fields.includes(each)))) return;
		const purpose = scheme === null ? "verify signatures" : `be compared with a call of the scheme ${scheme}`;
		const message = `credential ${quoteText(name)} has the type ${credential.auth_recipe}, which cannot ${purpose}: every call will be refused`;
		report.warning("wrong_credential", message, spot, `The owner adds one ${describeAdding(kinds)}`);
	}
}

/** Types of credentials that have the fields. */
const AUTH_KINDS: Readonly<Record<AuthScheme, readonly string[]>> = {
	bearer: [SIGNING_SECRET, "bearer_token"],
	basic: ["basic_auth"],
	header: [SIGNING_SECRET, "api_key_header"],
};

const usesSecret = (scheme: HandshakeScheme): boolean => scheme !== "microsoft" && scheme !== "dropbox";

const MAX_NAMES = 5;

/** `path` is shared and mutated during the walk; each reference found gets a copy. */
function forEachReference(
	value: Json,
	path: (string | number)[],
	meter: Meter,
	found: (name: string, field: string | null, path: Path, offset: number) => void,
): void {
	meter.spend(1);
	if (typeof value === "string") {
		if (!value.includes("credential") || !value.includes("{{")) return;
		for (const piece of parseTemplate(value, meter).pieces) {
			if (typeof piece === "string" || piece.source.kind !== "path") continue;
			const [root, name, field] = piece.source.steps;
			if (root?.key === "credential" && typeof name?.key === "string") {
				found(name.key, typeof field?.key === "string" ? field.key : null, [...path], root.offset);
			}
		}
	} else if (Array.isArray(value)) {
		for (const [index, below] of value.entries()) within(index, below);
	} else if (typeof value === "object" && value !== null) {
		for (const key of Object.keys(value)) within(key, value[key] as Json);
	}

	function within(part: string | number, below: Json): void {
		path.push(part);
		forEachReference(below, path, meter, found);
		path.pop();
	}
}
