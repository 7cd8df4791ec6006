import assert from "node:assert/strict";
import { EnsuredTemplate, PatchedTemplate, Template, TemplatePage } from "@tripline/contract/templates";
import * as z from "zod";
import type { Scenario, World } from "../../scenario.ts";

const slot = (name: string, type = "string", more: object = {}) => ({ name, type, ...more });

const ensure = (world: World, status: number, name: string, slots: object[]) =>
	world.expect(status, EnsuredTemplate, "POST", "/templates", {
		body: { owner_id: world.owner, name, slots },
	});

const slotNames = (template: Template) => template.slots.map((each) => each.name);

export const templates: readonly Scenario[] = [
	{
		name: "POST /templates creates a template once and is idempotent",
		cites: [],
		async run(world) {
			const made = await ensure(world, 201, "person", [slot("name"), slot("age", "integer")]);
			assert.equal(made.created, true);
			assert.deepEqual(made.added, ["name", "age"]);
			const again = await ensure(world, 200, "person", [slot("name")]);
			assert.equal(again.created, false);
			assert.deepEqual(again.added, []);
			assert.deepEqual(again.template, made.template);
		},
	},
	{
		name: "POST /templates adds missing slots to an existing template",
		cites: ["STORE-TEMPLATE-ENSURE"],
		async run(world) {
			const made = await ensure(world, 201, "person", [slot("name")]);
			const again = await ensure(world, 200, "person", [
				slot("name"),
				slot("mail", "string", { required: true }),
			]);
			assert.equal(again.template.id, made.template.id);
			assert.deepEqual(again.added, ["mail"]);
			assert.deepEqual(slotNames(again.template), ["name", "mail"]);
		},
	},
	{
		name: "PATCH /templates/{id} adds missing slots and keeps the others",
		cites: ["STORE-TEMPLATE-PATCH"],
		async run(world) {
			const { template } = await ensure(world, 201, "person", [slot("name"), slot("age", "integer")]);
			const body = { owner_id: world.owner, slots: [slot("age", "integer"), slot("city")] };
			const patched = await world.expect(200, PatchedTemplate, "PATCH", `/templates/${template.id}`, {
				body,
			});
			assert.deepEqual(patched.added, ["city"]);
			assert.deepEqual(slotNames(patched.template), ["name", "age", "city"]);
			const read = await world.expect(
				200,
				z.object({ template: Template }),
				"GET",
				`/templates/${template.id}`,
			);
			assert.deepEqual(read.template, patched.template);
		},
	},
	{
		name: "slots added by parallel calls are all kept",
		cites: ["STORE-TEMPLATE-PATCH"],
		async run(world) {
			const { template } = await ensure(world, 201, "wide", []);
			const names = Array.from({ length: 10 }, (_, index) => `slot-${index}`);
			await Promise.all(
				names.map((name) =>
					world.expect(200, PatchedTemplate, "PATCH", `/templates/${template.id}`, {
						body: { slots: [slot(name)] },
					}),
				),
			);
			const read = await world.expect(
				200,
				z.object({ template: Template }),
				"GET",
				`/templates/${template.id}`,
			);
			assert.deepEqual(slotNames(read.template).sort(), names);
		},
	},
	{
		name: "parallel calls that create the same template create one",
		cites: ["STORE-TEMPLATE-ENSURE"],
		async run(world) {
			const answers = await Promise.all(
				Array.from({ length: 20 }, (_, index) =>
					world.call("POST", "/templates", {
						body: { owner_id: world.owner, name: "race", slots: [slot(`slot-${index % 4}`)] },
					}),
				),
			);
			assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
			assert.equal(answers.filter((answer) => answer.status === 200).length, 19);
			const page = await world.expect(200, TemplatePage, "GET", "/templates", {
				query: { owner_id: world.owner, name: "race" },
			});
			assert.equal(page.templates.length, 1);
			assert.equal(page.templates[0]?.slots.length, 4);
		},
	},
	{
		name: "a slot's type cannot be changed",
		cites: [],
		async run(world) {
			const { template } = await ensure(world, 201, "person", [slot("age", "integer")]);
			const body = { owner_id: world.owner, name: "person", slots: [slot("age"), slot("new")] };
			await world.refuse(409, "POST", "/templates", { body });
			await world.refuse(409, "PATCH", `/templates/${template.id}`, { body: { slots: body.slots } });
			const read = await world.expect(
				200,
				z.object({ template: Template }),
				"GET",
				`/templates/${template.id}`,
			);
			assert.deepEqual(slotNames(read.template), ["age"]);
		},
	},
	{
		name: "a duplicate slot, or one with a default of another type, is rejected",
		cites: [],
		async run(world) {
			const body = { name: "bad", slots: [slot("a"), slot("a"), slot("n", "number", { default: "one" })] };
			const { issues } = await world.refuse(422, "POST", "/templates", { body });
			assert.deepEqual(
				issues?.map((issue) => issue.path),
				["slots.1.name", "slots.2.default"],
			);
		},
	},
	{
		name: "templates are listed in pages: only the owner's and the shared ones",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			const shared = await world.expect(201, EnsuredTemplate, "POST", "/templates", {
				body: { name: `shared-${world.owner}`, slots: [] },
			});
			assert.equal(shared.template.owner_id, null);
			for (const name of ["one", "two", "three"]) await ensure(world, 201, name, []);
			const other = await world.expect(201, EnsuredTemplate, "POST", "/templates", {
				body: { owner_id: `${world.owner}-other`, name: "hidden", slots: [] },
			});
			const names: string[] = [];
			let cursor: string | null = null;
			do {
				const page: z.output<typeof TemplatePage> = await world.expect(
					200,
					TemplatePage,
					"GET",
					"/templates",
					{
						query: { owner_id: world.owner, limit: 2, cursor: cursor ?? undefined },
					},
				);
				names.push(...page.templates.map((template) => template.name));
				cursor = page.next_cursor;
			} while (cursor !== null);
			assert.deepEqual(
				names.filter((name) => !name.startsWith("shared-") || name === `shared-${world.owner}`),
				["three", "two", "one", `shared-${world.owner}`],
			);
			const query = { owner_id: world.owner };
			await world.refuse(404, "GET", `/templates/${other.template.id}`, { query });
			await world.refuse(404, "PATCH", `/templates/${other.template.id}`, {
				body: { owner_id: world.owner, slots: [slot("mine")] },
			});
		},
	},
];
