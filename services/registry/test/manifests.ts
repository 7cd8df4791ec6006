import { Manifest } from "@tripline/contract/registry";
import type * as z from "zod";

type Code = Extract<z.input<typeof Manifest>, { kind: "code" }>;

/** A component of code that doubles a number, with the given changes. */
export const doublingManifest = (changes: Partial<Code> & Record<string, unknown> = {}) => ({
	kind: "code",
	id: "number-doubler",
	version: "1.0.0",
	title: "Number doubler",
	description: "Doubles a number.",
	publisher: "acme",
	license: "MIT",
	tags: ["numbers"],
	hosts: [],
	credentials: [],
	params: {
		type: "object",
		properties: { n: { type: "number" } },
		required: ["n"],
		additionalProperties: false,
	},
	output: { type: "number" },
	code: "return input.n * 2;",
	examples: [{ title: "Two", params: { n: 2 }, output: 4 }],
	...changes,
});

/** A component made of data that calls a host with a credential of an auth recipe that it brings, with the given changes. */
export const callingManifest = (changes: Record<string, unknown> = {}, host = "api.acme.example.com") => ({
	kind: "recipe",
	id: "acme-tickets",
	version: "1.0.0",
	title: "Tickets",
	description: "Tickets of Acme.",
	publisher: "acme",
	license: "MIT",
	tags: ["tickets"],
	hosts: [host],
	credentials: ["acme-key"],
	auth_recipes: {
		"acme-key": {
			title: "Acme key",
			type: "bearer",
			fields: [{ name: "token", secret: true, help: "From the settings page" }],
			hosts: [host],
			inject: { token: "{token}" },
		},
	},
	recipe: {
		auth: "acme-key",
		base_url: `https://${host}`,
		operations: {
			get_ticket: {
				title: "A ticket",
				method: "GET",
				path: "/tickets/{id}",
				params: {
					type: "object",
					properties: { id: { type: "string", description: "Its number" } },
					required: ["id"],
					additionalProperties: false,
				},
				output: { schema: { type: "object" } },
			},
		},
	},
	...changes,
});

export const toManifest = (written: unknown): Manifest => Manifest.parse(written);
