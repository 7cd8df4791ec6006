import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WorkflowItem } from "../../src/api/types.ts";
import { filterWorkflows, sortWorkflows } from "../../src/pages/workflows/listing.ts";

const item = (name: string, more: Partial<WorkflowItem> = {}): WorkflowItem => ({
	name,
	description: "",
	version: "1",
	tags: [],
	trigger: null,
	cron_expr: null,
	expose: false,
	input_schema: null,
	output_schema: null,
	next_run_at: null,
	webhook_url: "",
	source: "store",
	version_number: 1,
	enabled: true,
	updated_at: null,
	last_execution: null,
	...more,
});
const createRun = (time: string) => ({
	last_execution: { time, verdict: "success", duration_ms: 1, error: "" },
});
const listNames = (items: readonly WorkflowItem[]) => items.map(({ name }) => name).join(" ");

describe("the list of workflows", () => {
	it("finds workflows that contain every word", () => {
		const items = [item("Daily report", { description: "orders" }), item("report")];
		assert.equal(listNames(filterWorkflows(items, " ORDERS  rep")), "Daily report");
	});

	it("finds workflows by their trigger event", () =>
		assert.equal(
			listNames(
				filterWorkflows([item("a", { trigger: { type: "event", event: "order.*" } }), item("b")], "order."),
			),
			"a",
		));

	it("finds workflows by their tags", () => {
		const items = [item("a", { tags: ["support"] }), item("b", { description: "support" })];
		assert.equal(listNames(filterWorkflows(items, "#supp")), "a");
	});

	it("sorts numbers in names numerically", () =>
		assert.equal(listNames(sortWorkflows([item("w10"), item("w9")], "name")), "w9 w10"));

	it("lists the latest run first and workflows without runs last", () =>
		assert.equal(
			listNames(
				sortWorkflows(
					[item("never"), item("old", createRun("2026-01-01")), item("new", createRun("2026-02-01"))],
					"last",
				),
			),
			"new old never",
		));

	it("lists the soonest next run first", () =>
		assert.equal(
			listNames(
				sortWorkflows(
					[
						item("none"),
						item("late", { next_run_at: "2026-03-01" }),
						item("soon", { next_run_at: "2026-02-01" }),
					],
					"next",
				),
			),
			"soon late none",
		));
});
