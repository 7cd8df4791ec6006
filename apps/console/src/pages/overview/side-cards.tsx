import type { Overview } from "../../api/types.ts";
import { formatBytes, formatNumber } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { TIMES } from "../../times.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { OVERVIEW } from "./texts.ts";

const SCHEDULE = 'trigger: { type: schedule, cron: "0 7 * * *" }';
const DAY_MS = 86_400_000;

export function UpcomingCard({ upcoming, now }: Pick<Overview, "upcoming" | "now">) {
	const text = useTexts(OVERVIEW);
	return (
		<Card title={text.upcoming} isFlush>
			{upcoming.length === 0 ? (
				<Empty icon="clock" title={text.noUpcoming}>
					{text.noUpcomingHint} <code>{SCHEDULE}</code>
				</Empty>
			) : (
				<ul className="rows">
					{upcoming.map(({ workflow, next_run_at }) => (
						<li key={workflow}>
							<Link to={buildWorkflowPath(workflow)}>
								<Icon name="clock" />
								<span className="row-name">{workflow}</span>
								<span className="row-side soft numbers">
									{next_run_at <= now ? text.now : <Time at={next_run_at} />}
								</span>
							</Link>
						</li>
					))}
				</ul>
			)}
		</Card>
	);
}

const TONES = { normal: "good", failures_only: "warn", stopped: "bad" } as const;

export function LogCard({ mode, day, limit, written }: Overview["execution_log"]) {
	const text = useTexts(OVERVIEW);
	const { formatClockTime } = useTexts(TIMES);
	const nextDay = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString();
	return (
		<Card title={text.executionRecords} actions={<Badge tone={TONES[mode]}>{text.modes[mode]}</Badge>}>
			<div className="log-mode">
				<p className="soft">{text.modeHints[mode]}</p>
				{written === null ? (
					<p className="soft numbers">{text.dailyLimit(formatNumber(limit))}</p>
				) : (
					<>
						<p className="meter-label">
							<span>{text.recordsToday}</span>
							<span className="numbers">
								{text.writtenOfLimit(formatNumber(written), formatNumber(limit))}
							</span>
						</p>
						<meter
							className="hidden-text"
							aria-label={text.recordsToday}
							max={limit}
							value={Math.min(written, limit)}
						/>
						<div className={`meter ${TONES[mode]}`} aria-hidden="true">
							<span style={{ width: `${Math.min(1, written / Math.max(1, limit)) * 100}%` }} />
						</div>
					</>
				)}
				<p className="soft numbers">{text.resetsAt(formatClockTime(nextDay))}</p>
			</div>
		</Card>
	);
}

export function StoreCard({ overview }: { readonly overview: Overview }) {
	const text = useTexts(OVERVIEW);
	const { counts, entry_types, size_bytes } = overview;
	const formatCount = ({ count, more }: { count: number; more: boolean }) =>
		more ? text.moreThan(formatNumber(count)) : formatNumber(count);
	return (
		<Card title={text.store}>
			<dl className="facts numbers">
				<dt>{text.size}</dt>
				<dd>{size_bytes === null ? text.sizeUnknown : formatBytes(size_bytes)}</dd>
				<dt>{text.workflows}</dt>
				<dd>{formatCount(counts.workflows)}</dd>
				<dt>{text.triplets}</dt>
				<dd>{formatCount(counts.triplets)}</dd>
				<dt>{text.entries}</dt>
				<dd>{formatCount(counts.entries)}</dd>
			</dl>
			{entry_types.length > 0 && (
				<ul className="entry-types numbers" aria-label={text.entryTypes}>
					{entry_types.map((each) => (
						<li key={each.entry_type}>
							<Badge>
								{each.entry_type} {formatCount(each)}
							</Badge>
						</li>
					))}
				</ul>
			)}
		</Card>
	);
}
