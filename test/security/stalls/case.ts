/** A hostile input for the service. */
export interface Case {
	readonly name: string;
	readonly steps: readonly Step[];
	/** Represents its kind in the subset that `npm test` runs. */
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
	/** `{token}` is replaced by the case's latest webhook, `{outside}` by the host of the outside server. */
	readonly path: string;
	/** Name, value, name, value; `{tenant}` is replaced by the tenant header's value. */
	readonly headers: readonly string[];
	/** Created when it is sent, to keep the corpus out of memory. `{outside}` is replaced here too. */
	readonly body?: () => string | Uint8Array;
	/** A preparation for later steps, so it must succeed. */
	readonly isPreparation?: true;
	/** The run's own limit; a success after it is too late. */
	readonly lateAfterMs?: number;
	/** Further statuses that are documented for this endpoint. */
	readonly alsoFine?: readonly number[];
}

/** Waits while started work continues. */
export interface Pause {
	readonly kind: "pause";
	readonly ms: number;
}

/** Restarts the process on the same data. */
export interface Restart {
	readonly kind: "restart";
}

/** The default of MAX_BODY_BYTES. */
export const MAX_BODY_BYTES = 1_048_576;
/** What anybody may upload. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
export const NAMESPACE = "stalls";
export const STATIC_TOKEN = "static-token-of-the-stall-tests";
export const ADMIN_TOKEN = "admin-token-of-the-stall-tests";

/** Replaced when it is sent: a namespace, or a partner key in multi-tenant mode. */
export const TENANT: readonly string[] = ["x-service-api-key", "{tenant}"];
const JSON_TYPE: readonly string[] = ["content-type", "application/json"];
const YAML_TYPE: readonly string[] = ["content-type", "application/yaml"];

type Body = () => unknown;
type More = Partial<Pick<Send, "to" | "headers" | "isPreparation" | "lateAfterMs" | "alsoFine" | "method">>;

/** Sends a JSON body as the tenant. A string is sent unchanged. */
export const send = (path: string, body: Body, { headers = [], ...more }: More = {}): Send => ({
	kind: "send",
	to: "service",
	method: "POST",
	path,
	headers: [...TENANT, ...JSON_TYPE, ...headers],
	body: () => renderBody(body()),
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

/** Creates a webhook, which must succeed, and calls it. */
export const webhook = (document: Body, ...inputs: readonly Body[]): Step[] => [
	{ ...makeWebhook(document), isPreparation: true },
	...inputs.map((input) => trigger(input)),
];

export const trigger = (input: Body, more: More = {}): Send =>
	send("/webhooks/{token}/trigger?trace=false", input, more);

export const pause = (ms: number): Pause => ({ kind: "pause", ms });
export const restart: Restart = { kind: "restart" };

function renderBody(body: unknown): string | Uint8Array {
	return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/** A document with one node after the trigger. */
export const oneNode = (settings: object, fields: object = {}): object => ({
	triplets: ["input >> then >> only"],
	config: { only: settings },
	...fields,
});

/** Adds the fields that saving and validating require. */
export const createNamed = (name: string, document: object): object => ({
	name,
	description: "",
	version: "1",
	...document,
});
