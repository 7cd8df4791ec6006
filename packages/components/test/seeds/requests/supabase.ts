import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const row = { id: 7, status: "new", total: 120 };
const REPRESENTATION = { prefer: "return=representation" };

export const supabase = toExchanges(
	{
		id: "supabase",
		authRecipe: "supabase_key",
		fields: { host: "abcdefghijklmnop.supabase.co", key: "sb_secret_test" },
		base: "https://abcdefghijklmnop.supabase.co",
		headers: { apikey: "sb_secret_test", authorization: "Bearer sb_secret_test" },
	},
	{
		select_rows: {
			params: {
				table: "orders",
				select: "id,customer(name)",
				where: ["status.eq.new", 'name.eq."Lovelace, Ada"'],
				any: ["total.gte.100", "rush.is.true"],
				order: "created_at.desc",
				limit: 10,
				schema: "shop",
			},
			sends:
				"GET /rest/v1/orders?select=id%2Ccustomer%28name%29&and=%28status.eq.new%2Cname.eq.%22Lovelace%2C%20Ada%22%29&or=%28total.gte.100%2Crush.is.true%29&order=created_at.desc&limit=10",
			headers: { "accept-profile": "shop" },
			answer: [row],
		},
		insert_rows: {
			params: { table: "orders", rows: { status: "new", total: 120 } },
			sends: "POST /rest/v1/orders",
			headers: REPRESENTATION,
			json: { status: "new", total: 120 },
			status: 201,
			answer: [row],
		},
		upsert_rows: {
			params: { table: "customers", rows: [{ email: "ada@example.com" }], on_conflict: "email" },
			sends: "POST /rest/v1/customers?on_conflict=email",
			headers: { prefer: "resolution=merge-duplicates,return=representation" },
			json: [{ email: "ada@example.com" }],
			answer: [{ id: 1, email: "ada@example.com" }],
		},
		update_rows: {
			params: { table: "orders", where: ["id.eq.7"], values: { status: "shipped" } },
			sends: "PATCH /rest/v1/orders?and=%28id.eq.7%29",
			headers: REPRESENTATION,
			json: { status: "shipped" },
			answer: [{ ...row, status: "shipped" }],
		},
		delete_rows: {
			params: { table: "orders", where: ["id.in.(7,8)"], select: "id" },
			sends: "DELETE /rest/v1/orders?and=%28id.in.%287%2C8%29%29&select=id",
			headers: REPRESENTATION,
			answer: [{ id: 7 }],
		},
		call_function: {
			params: { function: "add_them", arguments: { a: 1, b: 2 } },
			sends: "POST /rest/v1/rpc/add_them",
			json: { a: 1, b: 2 },
			answer: 3,
		},
		upload_file: {
			params: { bucket: "reports", path: "2026/a b.png", file: picture, replace: true },
			sends: "POST /storage/v1/object/reports/2026/a%20b.png",
			headers: { "content-type": "image/png", "x-upsert": "true" },
			bytes: PICTURE,
			answer: { Key: "reports/2026/a b.png", Id: "b6c2b1a6-0000-4000-8000-000000000001" },
		},
		download_file: {
			params: { bucket: "reports", path: "2026/january.pdf" },
			sends: "GET /storage/v1/object/authenticated/reports/2026/january.pdf",
			answerHeaders: { "content-type": "application/pdf" },
			answerBytes: PICTURE,
			outputFile: { name: "january.pdf", type: "application/pdf" },
		},
		list_files: {
			params: { bucket: "reports", prefix: "2026" },
			sends: "POST /storage/v1/object/list/reports",
			json: { prefix: "2026", limit: 100, offset: 0 },
			answer: [{ name: "january.pdf", metadata: { size: 7, mimetype: "application/pdf" } }],
		},
		create_signed_url: {
			params: { bucket: "reports", path: "2026/january.pdf", expires_in: 86_400 },
			sends: "POST /storage/v1/object/sign/reports/2026/january.pdf",
			json: { expiresIn: 86_400 },
			answer: { signedURL: "/object/sign/reports/2026/january.pdf?token=x" },
		},
	},
);
