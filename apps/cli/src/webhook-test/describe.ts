import { type CallFacts, DEFAULT_AUTH_HEADER } from "@tripline/contract/calling/facts";
import { type CallKind, listCalls } from "@tripline/contract/calling/samples";
import type { Sender } from "@tripline/contract/calling/sender";
import { buildSenderYaml, findSender, SENDERS } from "@tripline/contract/calling/senders";
import { listSignatureHeaders } from "@tripline/contract/calling/signings";
import type { JsonObject } from "@tripline/contract/workflows";
import { CliProblem } from "../command.ts";
import { findNearest } from "../nearest.ts";
import type { Target } from "./target.ts";

const TITLES: Readonly<Record<CallKind, string>> = {
	json: "JSON",
	form: "form",
	files: "form with a file",
	html: "HTML form for your page",
	query: "GET",
	text: "text",
	bytes: "bytes",
};

/** How to call it: what it takes, ready-made calls, and what to set at the service that calls. */
export function describeTarget({ call, schema, name }: Target, input: JsonObject, from: string | undefined) {
	const calls = listCalls(call, { input, schema });
	const sender = from === undefined ? findSender(call.signature?.scheme ?? null) : requireSender(from);
	const facts = listFacts(call);
	const sections = [
		[call.webhook_url, ...facts.map(([label, text]) => `  ${label.padEnd(10)}${text}`)],
		...(name === null
			? [["The document of a webhook with a token cannot be read; these calls assume that it has no keys."]]
			: []),
		...calls.map(({ kind, text }) => [`# ${TITLES[kind]}`, text]),
		...(calls.length === 0 ? [["Only the sender can make these calls."]] : []),
		...(call.signature === null ? [] : [["export SECRET first: the secret of the credential"]]),
		sender === null ? [`For a service's steps: --from ${listIds()}`] : listSteps(sender, call),
	];
	return {
		json: {
			...call,
			calls,
			from: sender === null ? null : { service: sender.id, steps: sender.steps.en },
		},
		text: sections.map((lines) => lines.join("\n")).join("\n\n"),
	};
}

function listFacts({
	methods,
	accept,
	answer,
	auth,
	signature,
	handshake,
	cors,
	form_url,
	max_bytes,
}: CallFacts) {
	const facts: [label: string, text: string | null][] = [
		["methods", methods.join(", ")],
		["takes", accept?.join(", ") ?? "a JSON object; anything else is an empty input"],
		["at most", max_bytes === null ? null : `${max_bytes} bytes`],
		["answers", answer === "respond" ? "what the node respond gives" : "the run's result"],
		["auth", auth === null ? null : describeAuth(auth)],
		[
			"signature",
			signature === null
				? null
				: `${signature.scheme}, credential ${signature.credential}: ${listSignatureHeaders(signature).join(", ")}`,
		],
		["URL check", handshake],
		["pages", cors.length === 0 ? null : cors.join(", ")],
		["form", form_url],
	];
	return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function describeAuth({ scheme, credential, header }: NonNullable<CallFacts["auth"]>): string {
	const sent = {
		bearer: "Authorization: Bearer",
		basic: "Authorization: Basic",
		header: header ?? DEFAULT_AUTH_HEADER,
	}[scheme];
	return `credential ${credential}: ${sent}`;
}

function listSteps(sender: Sender, { signature }: CallFacts): string[] {
	const isSet = signature?.scheme === sender.id;
	return [
		`# From ${sender.title}`,
		...(isSet ? [] : ["Write in the document:", buildSenderYaml(sender), `At ${sender.title}:`]),
		...sender.steps.en.map((step, at) => `  ${at + 1}. ${step}`),
	];
}

const listIds = (): string => SENDERS.map(({ id }) => id).join(", ");

function requireSender(given: string): Sender {
	const sender = findSender(given.toLowerCase());
	if (sender !== null) return sender;
	const near = findNearest(
		given,
		SENDERS.map(({ id }) => id),
	);
	throw new CliProblem(`there are no steps for ${JSON.stringify(given)}`, {
		code: 2,
		hint: near === null ? `--from takes ${listIds()}` : `did you mean: --from ${near}`,
	});
}
