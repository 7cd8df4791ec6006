import { useEffect, useRef, useState } from "react";
import type { ExecutionRecord } from "../../api/types.ts";
import { Link } from "../../router.tsx";
import { buildExecutionPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { OVERVIEW } from "./texts.ts";

export function FailuresCard({ failures }: { readonly failures: readonly ExecutionRecord[] }) {
	const text = useTexts(OVERVIEW);
	const said = useNews(failures, text.newFailures);
	return (
		<Card
			title={text.failures}
			isFlush
			className="failures"
			{...(failures.length > 0 && {
				actions: <Link to="/executions?verdict=failed">{text.allFailures}</Link>,
			})}
		>
			<p className="hidden-text" role="status">
				{said}
			</p>
			{failures.length === 0 ? (
				<Empty icon="check" title={text.noFailures}>
					{text.noFailuresHint}
				</Empty>
			) : (
				<ul className="rows">
					{failures.map(({ id, workflow, error, time }) => (
						<li key={id}>
							<Link to={buildExecutionPath(id)}>
								<Icon name="alert" />
								<span className="row-name">{workflow}</span>
								<span className="row-side soft numbers">
									<Time at={time} />
								</span>
								<span className="row-error">{error}</span>
							</Link>
						</li>
					))}
				</ul>
			)}
		</Card>
	);
}

/** Screen reader message about runs that failed since the page was opened. */
function useNews(failures: readonly ExecutionRecord[], say: (count: number) => string): string {
	const known = useRef<Set<string> | null>(null);
	const [said, setSaid] = useState("");
	useEffect(() => {
		const before = known.current;
		known.current = new Set(failures.map(({ id }) => id));
		if (before === null) return;
		const count = failures.filter(({ id }) => !before.has(id)).length;
		if (count > 0) setSaid(say(count));
	}, [failures, say]);
	return said;
}
