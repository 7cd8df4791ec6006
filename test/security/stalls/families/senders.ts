import {
	type Case,
	createNamed,
	type Family,
	makeWebhook,
	NAMESPACE,
	oneNode,
	type Send,
	type Step,
	send,
} from "../case.ts";
import { createFilled, list, object } from "../shapes.ts";

const BYTES = 1_040_000;
const HEAD_BYTES = 60_000;
const FORM = "application/x-www-form-urlencoded";

const call = (path: string, headers: readonly string[], body?: () => string, method = "POST"): Send => ({
	kind: "send",
	to: "service",
	method,
	path,
	headers,
	...(body !== undefined && { body }),
});

const CREDENTIAL: Step = {
	...send(
		"/credentials/sender",
		() => ({ auth_recipe: "signing_secret", fields: { secret: "0".repeat(64) } }),
		{
			method: "PUT",
		},
	),
	isPreparation: true,
};

const make = (keys: object): Step[] => [
	CREDENTIAL,
	{
		...makeWebhook(() =>
			oneNode({ component: "set", values: { ok: true } }, { trigger: { type: "webhook", ...keys } }),
		),
		isPreparation: true,
	},
];

const NOW = () => String(Math.floor(Date.now() / 1000));
const HEX = "0".repeat(64);

/** Calls that are signed wrongly, in as much time as they can take. */
const SIGNED: Readonly<Record<string, readonly [scheme: object, ...calls: (() => Send)[]]>> = {
	"a stripe header of signatures": [
		{ scheme: "stripe" },
		() =>
			callToken(["stripe-signature", `t=${NOW()},${createFilled(HEAD_BYTES, () => `v1=${HEX}`, ",")}`], () =>
				"x".repeat(BYTES),
			),
		() => callToken(["stripe-signature", `t=${NOW()}${`,v1=${HEX}`.repeat(8)}`], () => "x".repeat(BYTES)),
		() => callToken(["stripe-signature", "t=,".repeat(HEAD_BYTES / 3)], () => "x"),
	],
	"a list of standard signatures": [
		{ scheme: "standard-webhooks" },
		() =>
			callToken(
				["webhook-id", "1", "webhook-timestamp", NOW(), "webhook-signature", "v1,a ".repeat(HEAD_BYTES / 5)],
				() => "x".repeat(BYTES),
			),
	],
	"the parameters of a twilio form": [
		{ scheme: "twilio" },
		...[
			() => createFilled(BYTES, (at) => `p${at}=1`, "&"),
			() => list(1_000, (at) => `p${at}=${"%41".repeat(300)}`).join("&"),
			() => list(1_000, (at) => `p=${"v".repeat(1_000)}${at}`).join("&"),
			() => "&".repeat(BYTES),
			() => `a=${"+".repeat(BYTES)}`,
		].map(
			(body) => () => callToken(["x-twilio-signature", `${"A".repeat(27)}=`, "content-type", FORM], body),
		),
	],
	"a linear body": [
		{ scheme: "linear" },
		() => callToken(["linear-signature", HEX], () => `{${createFilled(BYTES, (at) => `"k${at}":1`, ",")}}`),
	],
	"an ed25519 signature": [
		{ scheme: "discord" },
		() =>
			callToken(["x-signature-timestamp", NOW(), "x-signature-ed25519", "0".repeat(128)], () =>
				"x".repeat(BYTES),
			),
	],
	"a custom text": [
		{
			scheme: "custom",
			header: "x-own",
			algorithm: "sha512",
			signed_text: `${"{url}".repeat(49)}{body}`,
		},
		() => callToken(["x-own", "0".repeat(128)], () => "x".repeat(BYTES), `?${"q".repeat(HEAD_BYTES)}`),
	],
};

function callToken(headers: readonly string[], body: () => string, query = ""): Send {
	return call(`/webhooks/{token}/trigger${query}`, headers, body);
}

const signatures: Case[] = Object.entries(SIGNED).map(([name, [scheme, ...calls]]) => ({
	name: `signature: ${name}`,
	steps: [...make({ signature: { ...scheme, credential: "sender" } }), ...calls.map((each) => each())],
	...(name === "the parameters of a twilio form" && { isQuick: true as const }),
}));

const handshakes: Case[] = [
	{
		name: "handshake: bodies that are none",
		steps: [
			...make({ signature: { scheme: "slack", credential: "sender" }, handshake: "slack" }),
			callToken([], () => `{"type":"url_verification","challenge":"${"x".repeat(BYTES - 100)}"}`),
			callToken([], () => `{"type":"url_verification",${createFilled(16_000, (at) => `"k${at}":1`, ",")}}`),
			callToken([], () => "[".repeat(16_000)),
		],
	},
	{
		name: "handshake: long queries",
		steps: [
			...make({ handshake: "dropbox" }),
			call(`/webhooks/{token}/trigger?challenge=${"%41".repeat(HEAD_BYTES / 3)}`, [], undefined, "GET"),
			call(`/webhooks/{token}/trigger?${"challenge=a&".repeat(HEAD_BYTES / 12)}`, [], undefined, "GET"),
		],
	},
	{
		name: "auth: long credentials",
		steps: [
			...make({ auth: { scheme: "basic", credential: "sender" } }),
			callToken(["authorization", `Basic ${"QUFB".repeat(HEAD_BYTES / 4)}`], () => "{}"),
			callToken(["authorization", `Basic${" ".repeat(HEAD_BYTES)}x`], () => "{}"),
			...make({ auth: { scheme: "bearer", credential: "sender" } }),
			callToken(["authorization", `Bearer ${"a".repeat(HEAD_BYTES)}`], () => "{}"),
			callToken(["authorization", `Bearer${" ".repeat(HEAD_BYTES)}x y`], () => "{}"),
		],
	},
];

/** The form of a schema. Its address takes 30 posts a minute, more than the cases of this family make. */
const makeForm = (
	name: string,
	properties: () => object,
	required: () => readonly string[] = () => [],
): Step => ({
	...send("/workflows", () =>
		createNamed(
			name,
			oneNode(
				{ component: "set", values: { ok: true } },
				{
					trigger: { type: "webhook", form: {} },
					options: { input_schema: { type: "object", required: required(), properties: properties() } },
				},
			),
		),
	),
	isPreparation: true,
});

const getForm = (name: string, headers: readonly string[] = []): Send =>
	call(`/f/${NAMESPACE}/${name}`, headers, undefined, "GET");
const postForm = (name: string, body: () => string): Send =>
	call(`/f/${NAMESPACE}/${name}`, ["content-type", FORM], body);

const forms: Case[] = [
	{
		name: "form: 200 fields",
		steps: [
			makeForm(
				"wide",
				() => object(200, (at) => [`field-${at}`, { type: "string", minLength: 3, title: "t".repeat(200) }]),
				() => list(200, (at) => `field-${at}`),
			),
			getForm("wide"),
			postForm("wide", () => ""),
			postForm("wide", () => list(200, (at) => `field-${at}=${"%3C".repeat(1_700)}`).join("&")),
		],
		isQuick: true,
	},
	{
		name: "form: 800 choices",
		steps: [
			makeForm("choices", () => ({
				many: { type: "array", items: { enum: list(800, (at) => `choice ${at}`) }, uniqueItems: true },
			})),
			getForm("choices"),
			postForm("choices", () => list(800, (at) => `many=choice+${at}`).join("&")),
			postForm("choices", () => list(1_000, () => "many=choice+1").join("&")),
		],
	},
	{
		name: "form: a text that comes back escaped",
		steps: [
			makeForm(
				"text",
				() => ({ text: { type: "string", format: "textarea" }, n: { type: "integer" } }),
				() => ["n"],
			),
			postForm("text", () => `text=${"<".repeat(BYTES)}`),
			postForm("text", () => `text=${"%00".repeat(BYTES / 3)}`),
			postForm("text", () => `text=${"'".repeat(BYTES)}&n=1`),
		],
		isQuick: true,
	},
	{
		name: "form: a megabyte of lines",
		steps: [
			makeForm("lines", () => ({
				texts: { type: "array", items: { type: "string", format: "email" } },
				numbers: { type: "array", items: { type: "integer", minimum: 3 }, uniqueItems: true },
			})),
			postForm("lines", () => `texts=${"a\n".repeat(BYTES / 2)}`),
			postForm("lines", () => `texts=${"\r\n".repeat(BYTES / 2)}`),
			postForm("lines", () => `numbers=${createFilled(BYTES, (at) => String(at), "\n")}`),
			postForm("lines", () => `numbers=${"1\n".repeat(BYTES / 2)}`),
		],
		isQuick: true,
	},
	{
		name: "form: values that no parser should take long for",
		steps: [
			makeForm("kinds", () => ({
				number: { type: "number" },
				date: { type: "string", format: "date" },
				time: { type: "string", format: "date-time" },
				mail: { type: "string", format: "email" },
				url: { type: "string", format: "uri" },
			})),
			postForm("kinds", () => `number=${"9".repeat(BYTES)}`),
			postForm("kinds", () => `number=${"+".repeat(BYTES)}1`),
			postForm("kinds", () => `date=${"0".repeat(BYTES)}`),
			postForm("kinds", () => `time=${" ".repeat(BYTES)}`),
			postForm("kinds", () => `mail=${"a.".repeat(BYTES / 2)}@`),
			postForm("kinds", () => `url=https://${"a.".repeat(BYTES / 2)}`),
		],
	},
	{
		name: "form: long languages",
		steps: [
			makeForm("languages", () => ({ a: { type: "string" } })),
			getForm("languages", ["accept-language", createFilled(HEAD_BYTES, () => "zh;q=0.1", ",")]),
			getForm("languages", ["accept-language", ` ${";q=".repeat(HEAD_BYTES / 3)}`]),
		],
	},
];

/** Signatures, handshakes, credentials and forms. */
export const senders: Family = { name: "senders", cases: [...signatures, ...handshakes, ...forms] };
