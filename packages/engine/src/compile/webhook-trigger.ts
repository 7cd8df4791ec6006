import { type Handshake, type Signature, webhookKeys } from "@tripline/contract/webhook-trigger";
import type { Trigger } from "@tripline/contract/workflows";
import type { Definition } from "../definition.ts";
import type { Hint, Report, Spot } from "../diagnostics.ts";
import type { Surroundings } from "./advise.ts";
import { checkSignature, signsUrl } from "./webhook-signature.ts";

/** Finds keys of a webhook trigger that do not fit together. */
export function checkWebhook(
	{ trigger, options }: Definition,
	findFormProblem: Surroundings["findFormProblem"],
	report: Report,
): void {
	if (options.signature !== undefined) checkSignature(options.signature, ["options", "signature"], report);
	if (trigger === undefined) return;
	if (trigger.type !== "webhook") {
		for (const key of Object.keys(webhookKeys)) {
			if (trigger[key as keyof typeof webhookKeys] === undefined) continue;
			refuse([key], `${key} belongs to a trigger of type webhook, not ${trigger.type}`);
		}
		return;
	}
	const { auth } = trigger;
	checkTriggerSignature();
	checkMethods(trigger);
	const handshake = toHandshake(trigger.handshake);
	if (handshake !== null) checkHandshake(handshake);
	if (auth?.header !== undefined && auth.scheme !== "header")
		refuse(["auth", "header"], `header belongs to the scheme header, not ${auth.scheme}`, REMOVE_KEY);
	checkForm(trigger);
	checkChat(trigger);
	checkQuery(trigger);

	function checkTriggerSignature(): void {
		if (trigger?.signature === undefined) return;
		checkSignature(trigger.signature, ["trigger", "signature"], report);
		if (options.signature !== undefined)
			refuse(["signature"], "signature is set in both trigger and options", "Remove one of them");
	}

	/** The input of these methods is the query, which most signatures do not cover. */
	function checkMethods({ methods = [] }: Trigger): void {
		const signature = findSignature();
		const reading = methods.find((method) => method === "GET" || method === "DELETE");
		if (reading === undefined || signature === undefined || coversQuery(signature)) return;
		refuse(
			["methods"],
			`a signature of the scheme ${signature.scheme} does not cover the query, which is the input of a ${reading}`,
			"Use auth instead, or the scheme custom with {url} in signed_text",
		);
	}

	function checkHandshake(handshake: Handshake): void {
		const { scheme } = handshake;
		if (scheme !== "custom") refuseCustomKeys(handshake);
		if (scheme === "slack" || scheme === "discord" || scheme === "zoom") {
			if (findSignature()?.scheme === scheme) return;
			const hint = `Add signature: { scheme: ${scheme}, credential: … } to the trigger`;
			refuse(["handshake"], `the handshake ${scheme} needs a signature of the scheme ${scheme}`, hint);
		} else if (scheme === "microsoft" || scheme === "dropbox") {
			if (handshake.credential === undefined) return;
			const message = `credential has no effect on the handshake ${scheme}, which proves nothing to either side`;
			warn(["handshake", "credential"], message, REMOVE_KEY);
		} else {
			if (handshake.credential === undefined && findSignature() === undefined)
				refuse(["handshake"], `the handshake ${scheme} needs a credential, or a signature`, NAME_CREDENTIAL);
			if (scheme === "custom") checkCustomHandshake(handshake);
		}
	}

	function checkCustomHandshake({ challenge, token }: Handshake): void {
		const signature = findSignature();
		if (challenge === undefined)
			refuse(["handshake"], "the handshake custom needs challenge", "Such as challenge: query.challenge");
		if (token !== undefined) return;
		if (signature === undefined)
			refuse(["handshake"], "the handshake custom needs token, or a signature", "Such as token: query.token");
		else if (challenge?.startsWith("query.") === true && !coversQuery(signature))
			refuse(
				["handshake", "challenge"],
				`a challenge in the query needs token, because a signature of the scheme ${signature.scheme} does not cover the query`,
				"Such as token: query.token",
			);
	}

	function refuseCustomKeys(handshake: Handshake): void {
		for (const key of ["challenge", "token", "field", "answer", "prefix"] as const) {
			if (handshake[key] === undefined) continue;
			refuse(
				["handshake", key],
				`${key} belongs to the handshake custom, not ${handshake.scheme}`,
				REMOVE_KEY,
			);
		}
	}

	function checkForm({ form, methods }: Trigger): void {
		if (form === undefined) return;
		if (methods?.some((method) => method !== "POST"))
			refuse(["methods"], "a form is sent by POST only", "Remove methods");
		if (findSignature() !== undefined)
			refuse(
				["form"],
				"a form cannot be combined with a signature: a browser does not sign",
				"Use auth instead",
			);
		const schema = options.input_schema;
		if (schema === undefined) {
			refuse(["form"], "a form needs options.input_schema, which describes its fields", INPUT_SCHEMA);
			return;
		}
		const problem = findFormProblem?.(schema) ?? null;
		if (problem !== null) refuse(["form"], problem);
	}

	/** A chat has a page and an API of its own, and no other address is open. */
	function checkChat({ chat, ...keys }: Trigger): void {
		if (chat === undefined) return;
		const { access = "token", daily_tokens, links } = chat;
		for (const key of BESIDE_CHAT)
			if (keys[key] !== undefined)
				refuse(
					[key],
					`${key} cannot be combined with chat, which has a page and an API of its own`,
					REMOVE_KEY,
				);
		if (options.signature !== undefined)
			refuse(["chat"], "chat cannot be combined with options.signature", "Remove options.signature");
		if (options.query === true)
			refuse(["chat"], "chat cannot be combined with options.query", "Remove options.query");
		if (access === "public" && daily_tokens === undefined)
			refuse(
				["chat"],
				"a public chat needs daily_tokens, because anyone can spend them",
				"Such as daily_tokens: 200000",
			);
		if (links !== undefined && access === "public")
			warn(["chat", "links"], "links has no effect on a public chat, which needs no link", REMOVE_KEY);
	}

	/** A query is answered to anybody, whatever the trigger asks for. */
	function checkQuery({ auth, signature }: Trigger): void {
		if (options.query !== true) return;
		for (const [key, value] of Object.entries({ auth, signature })) {
			if (value === undefined) continue;
			refuse([key], `${key} cannot be combined with options.query, which lets anybody call`, WITHOUT_QUERY);
		}
	}

	function findSignature(): Signature | undefined {
		return trigger?.signature ?? options.signature;
	}

	function refuse(path: readonly string[], message: string, hint?: Hint): void {
		report.error("bad_webhook", message, toSpot(path), hint);
	}

	function warn(path: readonly string[], message: string, hint?: Hint): void {
		report.warning("no_effect", message, toSpot(path), hint);
	}
}

const toHandshake = (handshake: Trigger["handshake"]): Handshake | null =>
	typeof handshake === "string" ? { scheme: handshake } : (handshake ?? null);

/** A token proves that the caller knows the secret, so nothing that it sends needs to be covered. */
const coversQuery = (signature: Signature): boolean =>
	signature.scheme === "gitlab" || signature.scheme === "telegram" || signsUrl(signature);

const toSpot = (path: readonly string[]): Spot => ({
	path: ["trigger", ...path],
	near: { path: ["trigger", path[0] as string] },
});

const WITHOUT_QUERY = "Remove options.query; for calls by GET set methods: [GET] and auth";
const BESIDE_CHAT = [
	"methods",
	"accept",
	"auth",
	"signature",
	"handshake",
	"answer",
	"cors",
	"form",
] as const;
const REMOVE_KEY = "Remove the key";
const NAME_CREDENTIAL = "Name a credential of the type signing_secret in handshake: { scheme, credential }";
const INPUT_SCHEMA =
	"Such as input_schema: { type: object, properties: { email: { type: string, format: email } } }";
