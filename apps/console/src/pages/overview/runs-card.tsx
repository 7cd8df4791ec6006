import type { Range } from "../../api/first-requests.ts";
import type { Overview } from "../../api/types.ts";
import { formatNumber, formatPercent } from "../../numbers.ts";
import { useTexts } from "../../texts/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { sumRuns } from "./chart.ts";
import { RunsChart } from "./runs-chart.tsx";
import { OVERVIEW } from "./texts.ts";

const PER = { day: 1, week: 3 } as const;

interface Props {
	readonly overview: Overview;
	readonly range: Range;
	onRange(range: Range): void;
}

export function RunsCard({ overview, range, onRange }: Props) {
	const text = useTexts(OVERVIEW);
	const { runs, success, failed, rate } = sumRuns(overview.hours);
	const per = PER[range];
	return (
		<Card
			title={per === 1 ? text.runsPerHour : text.runsPerHours(per)}
			actions={<Ranges />}
			className="runs-card"
		>
			<dl className="totals numbers">
				<Total label={text.runs}>{formatNumber(runs)}</Total>
				<Total label={text.successRate}>{rate === null ? "–" : formatPercent(rate)}</Total>
				<Total label={text.succeeded} mark="success">
					{formatNumber(success)}
				</Total>
				<Total label={text.failed} mark="failed">
					{formatNumber(failed)}
				</Total>
			</dl>
			{runs === 0 ? (
				<Empty icon="overview" title={text.noRunsInRange} />
			) : (
				<RunsChart key={range} hours={overview.hours} per={per} />
			)}
			{overview.truncated && <p className="soft">{text.truncated}</p>}
		</Card>
	);

	function Ranges() {
		return (
			<fieldset className="segments">
				<legend className="hidden-text">{text.range}</legend>
				{(["day", "week"] as const).map((each) => (
					<button key={each} type="button" aria-pressed={each === range} onClick={() => onRange(each)}>
						{text[each]}
					</button>
				))}
			</fieldset>
		);
	}
}

interface TotalProps {
	readonly label: string;
	/** Colour and pattern in the chart. */
	readonly mark?: "success" | "failed";
	readonly children: string;
}

function Total({ label, mark, children }: TotalProps) {
	return (
		<div>
			<dt>
				{mark !== undefined && <span className={`swatch ${mark}`} />}
				{label}
			</dt>
			<dd>{children}</dd>
		</div>
	);
}
