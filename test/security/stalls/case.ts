/** Something hostile that is sent to the service. */
export interface Case {
	readonly name: string;
	readonly steps: readonly Step[];
	/** Stands for its kind in the part that `npm test` runs. */
	readonly isQuick?: true;
}

export interface Family {
	readonly name: string;
	readonly cases: readonly Case[];
}

export type Step = Send | Pause | Restart;

export interface Send {
	readonly kind: "send";
	readonly to: "service" | "store";
	readonly method: string;
	/** `{token}` stands for the webhook that the case made last, `{outside}` for the host of the outside server. */
	readonly path: string;
	/** Name, value, name, value; `{tenant}` stands for what says who calls. */
	readonly headers: readonly string[];
	/** Made when it is sent, so that the corpus does not lie in memory. `{outside}` is filled in here too. */
	readonly body?: () => string | Uint8Array;
	/** The case is about what comes after it, so it has to succeed. */
	readonly isPreparation?: true;
	/** The run's own limit: a success that took longer came too late. */
	readonly lateAfterMs?: number;
	/** Statuses that are documented for this endpoint besides the usual ones. */
	readonly alsoFine?: readonly number[];
}

/** Lets what was started go on. */
export interface Pause {
	readonly kind: "pause";
	readonly ms: number;
}

/** Ends the process and starts it again on the same data. */
export interface Restart {
	readonly kind: "restart";
}

/** MAX_BODY_BYTES unless set. */
export const MAX_BODY_BYTES = 1_048_576;
export const NAMESPACE = "stalls";
export const STATIC_TOKEN = "static-token-of-the-stall-tests";
export const ADMIN_TOKEN = "admin-token-of-the-stall-tests";

/** Filled in when it is sent: a namespace, or where there are many tenants a partner key. */
export const TENANT: readonly string[] = ["x-service-api-key", "{tenant}"];
const JSON_TYPE: readonly string[] = ["content-type", "application/json"];
const YAML_TYPE: readonly string[] = ["content-type", "application/yaml"];

type Body = () => unknown;
type More = Partial<Pick<Send, "to" | "headers" | "isPreparation" | "lateAfterMs" | "alsoFine" | "method">>;

/** A JSON body as the tenant. Text is sent as it is. */
export const send = (path: string, body: Body, { headers = [], ...more }: More = {}): Send => ({
	kind: "send",
	to: "service",
	method: "POST",
	path,
	headers: [...TENANT, ...JSON_TYPE, ...headers],
	body: () => textOf(body()),
	...more,
});

export const get = (path: string, { headers = [], ...more }: More = {}): Send => ({
	kind: "send",
	to: "service",
	method: "GET",
	path,
	headers: [...TENANT, ...headers],
	...more,
});

export const validate = (document: Body): Send => send("/workflows/validate", document);
export const makeWebhook = (document: Body): Send => send("/webhooks", document);
export const validateYaml = (text: () => string): Send => ({
	...validate(text),
	headers: [...TENANT, ...YAML_TYPE],
});

/** A webhook that has to be made, and calls of it. */
export const webhook = (document: Body, ...inputs: readonly Body[]): Step[] => [
	{ ...makeWebhook(document), isPreparation: true },
	...inputs.map((input) => trigger(input)),
];

export const trigger = (input: Body, more: More = {}): Send =>
	send("/webhooks/{token}/trigger?trace=false", input, more);

export const pause = (ms: number): Pause => ({ kind: "pause", ms });
export const restart: Restart = { kind: "restart" };

function textOf(body: unknown): string | Uint8Array {
	return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/** One node behind the trigger. */
export const oneNode = (settings: object, fields: object = {}): object => ({
	triplets: ["input >> then >> only"],
	config: { only: settings },
	...fields,
});

/** What saving and validating ask for besides. */
export const named = (name: string, document: object): object => ({
	name,
	description: "",
	version: "1",
	...document,
});
