import { api } from "../../api/api.ts";
import { buildOverviewUrl, DEFAULT_RANGE, OVERVIEW_HOURS, type Range } from "../../api/first-requests.ts";
import type { Overview } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { FailuresCard } from "./failures-card.tsx";
import { FirstAssistant, FirstRun, FirstWorkflow } from "./first-steps.tsx";
import { RunsCard } from "./runs-card.tsx";
import { LogCard, StoreCard, UpcomingCard } from "./side-cards.tsx";
import { OVERVIEW } from "./texts.ts";

const POLL_MS = 10_000;

export default function OverviewPage() {
	const text = useTexts(OVERVIEW);
	const [search, change] = useSearch();
	const range: Range = search.get("range") === "week" ? "week" : DEFAULT_RANGE;
	const hours = OVERVIEW_HOURS[range];
	const query = useQuery(buildOverviewUrl(hours), (signal) => api.overview(hours, signal), {
		everyMs: POLL_MS,
	});
	return (
		<Page title={text.title}>
			<Loaded query={query} lines={10}>
				{(overview) =>
					hasAnyRun(overview) ? (
						<>
							<RunsCard
								overview={overview}
								range={range}
								onRange={(next) => change({ range: next === DEFAULT_RANGE ? null : next })}
							/>
							<div className="overview-columns">
								<div className="stack">
									<FailuresCard failures={overview.failures} />
									<UpcomingCard upcoming={overview.upcoming} now={overview.now} />
								</div>
								<div className="stack">
									<LogCard {...overview.execution_log} />
									<StoreCard overview={overview} />
								</div>
							</div>
						</>
					) : (
						<Beginning overview={overview} />
					)
				}
			</Loaded>
		</Page>
	);
}

function Beginning({ overview }: { readonly overview: Overview }) {
	return (
		<div className="overview-columns">
			{overview.counts.workflows.count === 0 ? (
				<FirstWorkflow />
			) : (
				<FirstRun>
					<UpcomingCard upcoming={overview.upcoming} now={overview.now} />
				</FirstRun>
			)}
			<div className="stack">
				<FirstAssistant />
				<LogCard {...overview.execution_log} />
				<StoreCard overview={overview} />
			</div>
		</div>
	);
}

/** Whether anything has run. A mode other than normal means that there were runs, even if none is shown or recorded. */
function hasAnyRun({ hours, failures, execution_log, counts }: Overview): boolean {
	if (failures.length > 0 || hours.some(({ success, failed }) => success + failed > 0)) return true;
	return counts.workflows.count > 0 && execution_log.mode !== "normal";
}
