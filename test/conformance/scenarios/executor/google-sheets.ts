import assert from "node:assert/strict";
import { createFakeSheets } from "../../../../packages/components/test/google-sheets/fake-sheets.ts";
import { googleFields } from "../../../../packages/components/test/seeds/google-account.ts";
import type { Scenario } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { openHost } from "./outside-host.ts";
import { onOwnService } from "./own-service.ts";
import { openTokenEndpoint } from "./recipe-workflows.ts";
import { onSeeded } from "./seeded.ts";
import { createRow, failOnce, runOnce } from "./token-webhook.ts";

const SCOPE = "https://www.googleapis.com/auth/spreadsheets";
const ID = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";

const scenarios: readonly Scenario[] = [
	{
		name: "google_sheets_rows reads and writes rows by the names of their columns",
		cites: [],
		async run(world) {
			const fake = createFakeSheets(ID, {
				Customers: [
					["Email", "Plan"],
					["ada@example.com", "free"],
				],
			});
			openHost(world, (request) => fake.answer(request), "sheets.googleapis.com");
			openTokenEndpoint(world, SCOPE);
			await putCredential(world, "google", "google_service_account", googleFields(SCOPE));
			const node = { component: "google_sheets_rows", credential: "google", spreadsheet_id: ID };
			const write = {
				...node,
				action: "append_or_update",
				match: "Email",
				rows: "{{input.rows}}",
				create_columns: true,
			};
			const rows = [
				{ Email: "ada@example.com", Plan: "pro" },
				{ Email: "bob@example.com", Seats: 3 },
			];
			assert.deepEqual((await runOnce(world, createRow({ write }), { rows })).data, {
				appended: 1,
				updated: 1,
				created_columns: ["Seats"],
			});
			const read = { ...node, action: "read", where: { Plan: "pro" } };
			assert.deepEqual((await runOnce(world, createRow({ read }))).data, {
				rows: [{ Email: "ada@example.com", Plan: "pro", Seats: null }],
				row_numbers: [2],
				columns: ["Email", "Plan", "Seats"],
				more: false,
			});
			const unknown = { ...write, create_columns: false, rows: [{ Email: "x", Plam: 1 }] };
			const { error } = await failOnce(world, createRow({ unknown }));
			assert.equal(error, 'unknown: rows.0: there is no column "Plam". Did you mean "Plan"?');
		},
	},
];

export const googleSheets: readonly Scenario[] = scenarios.map((each) => onOwnService(onSeeded(each)));
