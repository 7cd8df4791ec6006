import { postgresStatement, type Sql, type SqlValue } from "@tripline/platform/sql";
import type { SearchIndex } from "../../domain/search/find.ts";

/**
 * Each list is a query of its own with its terms as constants, so that the planner knows how common they are: a rare term
 * is looked up in the index of terms, and a common one is found soon among the newest entries.
 */
export async function listNewestInPostgres(
	sql: Sql,
	expressions: readonly string[],
	most: number,
): ReturnType<SearchIndex["listNewest"]> {
	const [answers, oldest] = await Promise.all([
		Promise.all(expressions.map((expression) => list(expression, "desc", most))),
		list(expressions[0] ?? "", "asc", 1),
	]);
	return { answers, oldest: oldest[0] ?? 0 };

	async function list(expression: string, order: "asc" | "desc", limit: number): Promise<number[]> {
		const values: SqlValue[] = [];
		const terms = parseExpression(expression).map(
			(alternatives) => `list && string_to_array(?${values.push(alternatives.join(" "))}, ' ')`,
		);
		const rows = await sql.read<{ rowid: number }>(
			postgresStatement(
				`select rowid from search where ${terms.join(" and ")} order by rowid ${order} limit ${limit}`,
				...values,
			),
		);
		return rows.map(({ rowid }) => rowid);
	}
}

/** `"a" AND ("b" OR "c")` as lists of alternatives. */
const parseExpression = (expression: string): string[][] =>
	expression.split(" AND ").map((part) => [...part.matchAll(/"([^"]*)"/g)].map(([, term]) => term as string));
