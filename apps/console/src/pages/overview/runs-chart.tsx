import { type PointerEvent, useState } from "react";
import { formatNumber } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { TIMES } from "../../times.ts";
import { type Bar, buildBars, buildTicks, findScaleTop, type Hour } from "./chart.ts";
import { OVERVIEW } from "./texts.ts";

interface Props {
	readonly hours: readonly Hour[];
	/** Hours per bar. */
	readonly per: number;
}

/**
 * Stacked bars of succeeded and failed runs. The numbers of a bar are available by pointer, by arrow keys, and as a
 * table for screen readers.
 */
export function RunsChart({ hours, per }: Props) {
	const text = useTexts(OVERVIEW);
	const { formatHour, formatSpan, formatWeekday } = useTexts(TIMES);
	const [chosenTime, setChosenTime] = useState<number | null>(null);
	const bars = buildBars(hours, per);
	const top = findScaleTop(bars);
	const isByDay = per > 1;
	const chosen = bars.findIndex(({ from }) => from === chosenTime);
	const span = ({ from, until }: Bar) => formatSpan(from, until, { withDay: isByDay });
	const spoken = (bar: Bar) => text.countsAt(span(bar), formatNumber(bar.success), formatNumber(bar.failed));
	const shown = bars[chosen];

	return (
		<div className="runs-chart">
			<p className="runs-read soft numbers">
				{shown === undefined ? (
					text.chartHint
				) : (
					<>
						<strong>{spoken(shown)}</strong>
						{shown.success + shown.failed > 0 && <Link to={buildRunsPath(shown)}>{text.showRuns}</Link>}
					</>
				)}
			</p>
			<div className="runs-plot">
				<div className="runs-scale numbers" aria-hidden="true">
					<span>{formatNumber(top)}</span>
					<span>{formatNumber(top / 2)}</span>
					<span>0</span>
				</div>
				<div className="runs-bars" onPointerMove={handlePointerMove} onPointerDown={handlePointerMove}>
					{bars.map((bar, index) => (
						<div key={bar.from} className={index === chosen ? "runs-bar chosen" : "runs-bar"}>
							{bar.failed > 0 && (
								<span className="failed" style={{ height: `${(bar.failed / top) * 100}%` }} />
							)}
							{bar.success > 0 && (
								<span className="success" style={{ height: `${(bar.success / top) * 100}%` }} />
							)}
						</div>
					))}
					{bars.length > 0 && (
						<input
							type="range"
							aria-label={text.chartTime}
							min={0}
							max={bars.length - 1}
							value={chosen < 0 ? bars.length - 1 : chosen}
							aria-valuetext={describeBar(chosen < 0 ? bars.length - 1 : chosen)}
							onFocus={() => chosen < 0 && choose(bars.length - 1)}
							onChange={(event) => choose(event.target.valueAsNumber)}
						/>
					)}
				</div>
				<div className="runs-ticks numbers" aria-hidden="true">
					{buildTicks(bars, isByDay).map(({ index, at, isMinor }) => (
						<span
							key={at}
							className={isMinor ? "minor" : ""}
							style={{
								gridTemplateColumns: `minmax(0, calc(${index / bars.length} * var(--bars))) max-content`,
							}}
						>
							{isByDay ? formatWeekday(at) : formatHour(at)}
						</span>
					))}
				</div>
			</div>
			<div className="hidden-text">
				<table>
					<caption>{per === 1 ? text.runsPerHour : text.runsPerHours(per)}</caption>
					<thead>
						<tr>
							<th scope="col">{text.time}</th>
							<th scope="col">{text.succeeded}</th>
							<th scope="col">{text.failed}</th>
						</tr>
					</thead>
					<tbody>
						{bars.map((bar) => (
							<tr key={bar.from}>
								<th scope="row">{span(bar)}</th>
								<td>{formatNumber(bar.success)}</td>
								<td>{formatNumber(bar.failed)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</div>
	);

	function describeBar(index: number): string {
		const bar = bars[index];
		return bar === undefined ? "" : spoken(bar);
	}

	function choose(index: number): void {
		const bar = bars[Math.max(0, Math.min(bars.length - 1, index))];
		if (bar !== undefined) setChosenTime(bar.from);
	}

	function handlePointerMove(event: PointerEvent<HTMLDivElement>): void {
		const { left, width } = event.currentTarget.getBoundingClientRect();
		choose(Math.floor(((event.clientX - left) / width) * bars.length));
	}
}

function buildRunsPath({ from, until }: Bar): string {
	const range = new URLSearchParams({
		since: new Date(from).toISOString(),
		until: new Date(until).toISOString(),
	});
	return `/executions?${range}`;
}
