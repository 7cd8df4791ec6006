import { DeletedAnswer } from "@tripline/contract/entries";
import { Failed, notFound } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import { Id } from "@tripline/contract/names";
import {
	CreatedPartnerKey,
	CreatePartnerKey,
	PartnerKeyList,
	PartnerKeyQuery,
	VerifiedPartnerKey,
	VerifyPartnerKey,
} from "@tripline/contract/partner-keys";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertInternal, type Caller } from "../domain/callers.ts";
import { createPartnerKey, hashPartnerKey, hasPartnerKeys, isPartnerKey } from "../domain/partner-keys.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Partner keys";
const NO_KEYS =
	"a self-hosted service issues no partner keys: the header X-Service-API-Key is the plain namespace; for keys start the service with MULTI_TENANT=true";

export function partnerKeyRoutes({ partnerKeys, clock, settings }: StoreParts): Route<Caller>[] {
	const hasKeys = hasPartnerKeys(settings);
	return [
		route({
			method: "POST",
			path: "/partner-keys",
			tag,
			summary: "Create a partner key for a namespace",
			description:
				"Internal callers only. The key is shown only once. A self-hosted service issues no keys and answers 409: its tenant header is the plain namespace.",
			body: CreatePartnerKey,
			responses: { 201: { description: "The key", body: CreatedPartnerKey } },
			async handle({ caller, body }) {
				assertInternal(caller);
				if (!hasKeys) throw new Failed({ kind: "conflict", message: NO_KEYS });
				const key = createPartnerKey();
				const kept = await partnerKeys.add({
					id: uuidv7(clock.now()),
					hash: await hashPartnerKey(key),
					namespace: body.namespace,
					now: unixSeconds(clock),
				});
				return reply(201, { ...kept, key });
			},
		}),
		route({
			method: "GET",
			path: "/partner-keys",
			tag,
			summary: "List a namespace's keys, without their values",
			query: PartnerKeyQuery,
			responses: { 200: { description: "The keys", body: PartnerKeyList } },
			async handle({ caller, query }) {
				assertInternal(caller);
				return reply(200, { keys: await partnerKeys.list(query.namespace) });
			},
		}),
		route({
			method: "DELETE",
			path: "/partner-keys/{id}",
			tag,
			summary: "Revoke a key",
			params: z.object({ id: Id }),
			responses: { 200: { description: "Revoked", body: DeletedAnswer } },
			async handle({ caller, params }) {
				assertInternal(caller);
				if (!(await partnerKeys.delete(params.id))) throw notFound();
				return reply(200, { deleted: true });
			},
		}),
		route({
			method: "POST",
			path: "/partner-keys/verify",
			tag,
			summary: "Find the namespace of a key",
			description: "Internal callers only. In self-hosted mode no key is valid.",
			body: VerifyPartnerKey,
			responses: { 200: { description: "The namespace, or null", body: VerifiedPartnerKey } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const known =
					hasKeys && isPartnerKey(body.key)
						? await partnerKeys.findByHash(await hashPartnerKey(body.key))
						: null;
				return reply(200, { valid: known !== null, namespace: known?.namespace ?? null });
			},
		}),
	];
}
