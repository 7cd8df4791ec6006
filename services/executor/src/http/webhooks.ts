import { DeletedAnswer } from "@tripline/contract/entries";
import { CreatedWebhook, WebhookList, WebhookSource } from "@tripline/contract/executor";
import { Failed, notFound } from "@tripline/contract/failures";
import { randomToken } from "@tripline/contract/ids";
import { limit } from "@tripline/contract/paging";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import { RunResult } from "@tripline/contract/workflows";
import { identifyCaller } from "@tripline/platform/addresses";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { Webhook } from "../runs/webhooks.ts";
import type { WebhookRecord } from "../storage/webhooks.ts";
import { compileOr4xx } from "../workflows/compiled.ts";
import type { ExecutorParts } from "./deps.ts";
import { findByMethod } from "./receive.ts";
import { readBodySource } from "./source.ts";
import type { Target } from "./target.ts";
import { TRIGGER_RESPONSES, triggerDescription } from "./trigger-description.ts";
import { getBaseUrl } from "./urls.ts";

const tag = "Webhooks";
/** 32 characters of base64url. */
const TOKEN_BYTES = 24;
const MIN_TOKEN_LENGTH = 16;
const TOKEN = /^[A-Za-z0-9_-]{16,128}$/;

export function webhookRoutes(parts: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/webhooks",
			tag,
			open: true,
			summary: "Create a webhook for a graph",
			description:
				"The body holds one of graph, triplets, or nodes and edges. With the tenant header the webhook and its runs belong to that tenant; without it to whoever triggers it.",
			accepts: { "application/json": WebhookSource, "application/yaml": WebhookSource },
			responses: {
				201: { description: "Created", body: CreatedWebhook },
				401: { description: "The tenant header is invalid, or missing while ANONYMOUS_WEBHOOKS is off" },
				429: {
					description: "Too many webhooks without the tenant header from this address; see Retry-After",
				},
			},
			async handle({ request }) {
				const caller = await parts.tenants.findCaller(request);
				if (caller === null) checkAnonymous(request);
				const namespace = caller?.namespace ?? null;
				const source = await readBodySource(request, parts, namespace);
				const catalogue = () => parts.catalogues.catalogue(namespace);
				const { turns, finder, provided } = parts;
				const { runTimeoutMs } = parts.settings;
				const known = { catalogue, named: false, turns, finder, provided, runTimeoutMs, namespace };
				const { definition } = await compileOr4xx(source, known);
				if (definition.trigger !== undefined && definition.trigger.type !== "webhook") {
					throw new Failed({
						kind: "bad_request",
						message: `a token webhook cannot have a ${definition.trigger.type} trigger: save a named workflow instead`,
					});
				}
				const token = randomToken(TOKEN_BYTES);
				const { graph, context, options, trigger, name, description = "" } = definition;
				const record: WebhookRecord = {
					graph,
					description,
					created_at: new Date(parts.clock.now()).toISOString(),
					context,
					options,
					...(trigger !== undefined && { trigger }),
					...(name !== undefined && { name }),
					...(caller !== null && { namespace: caller.namespace }),
				};
				await turns.run(namespace ?? ANONYMOUS, () => parts.webhookStorage.put(token, record));
				return reply(201, describeWebhook(token, record, request));
			},
		}),

		route({
			method: "GET",
			path: "/webhooks",
			tag,
			summary: "List the tenant's webhooks",
			query: z.strictObject({ limit: limit(20, 100), cursor: z.string().max(1024).optional() }),
			responses: { 200: { description: "A page", body: WebhookList } },
			async handle({ caller, query, request }) {
				const page = await parts.webhookStorage.list(caller.namespace, query.limit, query.cursor);
				const texts = await Promise.all(page.tokens.map(parts.webhookStorage.get));
				const webhooks = texts.flatMap((text, index) => {
					const record = parseRecord(text);
					if (record === null) return [];
					const token = page.tokens[index] as string;
					return [{ ...describeWebhook(token, record, request), name: record.name ?? null }];
				});
				return reply(200, { webhooks, next_cursor: page.cursor });
			},
		}),

		route({
			method: "DELETE",
			path: "/webhooks/{token}",
			tag,
			summary: "Revoke a webhook",
			params: z.object({ token: z.string() }),
			responses: { 200: { description: "Revoked", body: DeletedAnswer } },
			async handle({ caller, params }) {
				parts.webhooks.forget(params.token);
				if (!TOKEN.test(params.token) || !(await parts.webhookStorage.delete(caller.namespace, params.token)))
					throw notFound("webhook not found");
				parts.webhooks.forget(params.token);
				return reply(200, { deleted: true });
			},
		}),

		route({
			method: "POST",
			path: "/webhooks/{token}/trigger",
			tag,
			open: true,
			anyMethod: true,
			summary: "Run a webhook's graph",
			...triggerDescription,
			params: z.object({ token: z.string() }),
			responses: { ...TRIGGER_RESPONSES, 200: { description: "The run succeeded", body: RunResult } },
			async handle({ params: { token }, request }) {
				const find = () => findTarget(token, request);
				const target = request.method === "POST" ? find() : findByMethod(find);
				return parts.trigger(request, target instanceof Promise ? await target : target);
			},
		}),
	];

	/** Synchronous for a cached webhook with an owner. */
	function findTarget(token: string, request: Incoming): Target | Promise<Target> {
		if (token.length < MIN_TOKEN_LENGTH) throw new Failed({ kind: "bad_request", message: "invalid token" });
		// Look up only valid tokens: the key-value store also holds other keys.
		if (!TOKEN.test(token)) throw notFound("webhook not found");
		const found = parts.webhooks.find(token);
		return found instanceof Promise
			? found.then((webhook) => resolveOwner(webhook, token, request))
			: resolveOwner(found, token, request);
	}

	function resolveOwner(webhook: Webhook | null, token: string, request: Incoming): Target | Promise<Target> {
		if (webhook === null) throw notFound("webhook not found");
		const namespace = resolveNamespace(webhook, request);
		return namespace instanceof Promise
			? namespace.then((known) => buildTarget(webhook, token, known))
			: buildTarget(webhook, token, namespace);
	}

	function buildTarget({ runnable, workflow }: Webhook, token: string, namespace: string | null): Target {
		return {
			runnable,
			workflow,
			namespace,
			trigger: "webhook",
			address: { kind: "webhook", token },
			// Anonymous webhooks share one limit, so that creating more of them does not raise it.
			rateKey: namespace === null && parts.settings.multiTenant ? ANONYMOUS : token,
		};
	}

	function checkAnonymous(request: Incoming): void {
		if (!parts.settings.anonymousWebhooks)
			throw new Failed({
				kind: "unauthorized",
				message:
					"the header X-Service-API-Key is required: anonymous webhooks are disabled (ANONYMOUS_WEBHOOKS)",
			});
		const wait = parts.anonymousRate.take(identifyCaller(request.address));
		if (wait === null) return;
		throw new Failed({
			kind: "too_many",
			message: "too many webhooks without a tenant, try again later or send the header X-Service-API-Key",
			retryAfterSeconds: wait,
		});
	}

	/** The creator's namespace, or the caller's if the webhook was created without a tenant header. */
	function resolveNamespace(webhook: Webhook, request: Incoming): string | null | Promise<string | null> {
		if (webhook.namespace !== null) return webhook.namespace;
		const caller = parts.tenants.identifyForwarded(request);
		return caller instanceof Promise
			? caller.then((known) => known?.namespace ?? null)
			: (caller?.namespace ?? null);
	}

	function describeWebhook(token: string, { description, created_at }: WebhookRecord, request: Incoming) {
		const webhook_url = `${getBaseUrl(parts.settings, request)}/webhooks/${token}/trigger`;
		return { token, webhook_url, description, created_at };
	}
}

/** Null if it was deleted since it was listed, or is unreadable. */
function parseRecord(text: string | null): WebhookRecord | null {
	try {
		const record = JSON.parse(text ?? "null") as WebhookRecord | null;
		return typeof record?.created_at === "string" ? record : null;
	} catch {
		return null;
	}
}
