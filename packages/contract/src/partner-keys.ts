import * as z from "zod";
import { Id, Namespace } from "./names.ts";

export const PARTNER_KEY = /^tlk_[A-Za-z0-9_-]{32}$/;

/** The owner of data without an owner. */
export const ANONYMOUS = "anonymous";

export const CreatePartnerKey = z.strictObject({
	namespace: Namespace.refine(
		(name) => name !== ANONYMOUS,
		`must not be ${ANONYMOUS}, which is reserved for data without an owner`,
	),
});

export const CreatedPartnerKey = z.object({
	id: Id,
	namespace: z.string(),
	key: z.string().meta({ description: "Returned only here; the store keeps only its hash" }),
	created_at: z.int(),
});

export const PartnerKeyQuery = z.strictObject({ namespace: Namespace });

export const PartnerKeyList = z.object({ keys: z.array(CreatedPartnerKey.omit({ key: true })) });

export const VerifyPartnerKey = z.strictObject({ key: z.string().max(256) });

export const VerifiedPartnerKey = z.object({ valid: z.boolean(), namespace: z.string().nullable() });
