import { type Route, reply, route } from "@tripline/web/route";
import { StatisticsAnswer } from "./answers.ts";
import type { RegistryParts } from "./deps.ts";

export function statisticsRoutes({ published, statistics }: RegistryParts): Route<unknown>[] {
	return [
		route({
			method: "GET",
			path: "/stats",
			tag: "Statistics",
			open: true,
			summary: "Count component installs",
			responses: { 200: { description: "All-time totals, and the last 90 days", body: StatisticsAnswer } },
			async handle() {
				const [listed, { totals, days }] = await Promise.all([published.all(), statistics.all()]);
				const versions = [...listed.values()].reduce((sum, each) => sum + each.versions.length, 0);
				return reply(200, {
					totals: { components: listed.size, versions, installs: sumCounts(totals) },
					components: rankCounts(totals),
					days: days.map(({ date, counts }) => ({
						date,
						installs: sumCounts(counts),
						components: rankCounts(counts),
					})),
				});
			},
		}),
	];
}

const sumCounts = (counts: ReadonlyMap<string, number>): number =>
	[...counts.values()].reduce((sum, count) => sum + count, 0);

const rankCounts = (counts: ReadonlyMap<string, number>) =>
	[...counts]
		.map(([id, installs]) => ({ id, installs }))
		.sort((one, other) => other.installs - one.installs || (one.id < other.id ? -1 : 1));
