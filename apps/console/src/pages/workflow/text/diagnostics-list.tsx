import type { Diagnostic } from "../../../api/types.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { WORKFLOW } from "../texts.ts";
import type { Checked } from "./use-validation.ts";

interface Props {
	readonly checked: Checked;
	readonly diagnostics: readonly Diagnostic[];
	onGoTo(place: { line: number; column?: number }): void;
}

/** The compiler's diagnostics, each linked to its position. */
export function DiagnosticsList({ checked, diagnostics, onGoTo }: Props) {
	const text = useTexts(WORKFLOW);
	const errors = diagnostics.filter(({ severity }) => severity === "error").length;
	const warnings = diagnostics.length - errors;
	return (
		<div className="diagnostics">
			{checked.problem !== null && <Problem error={checked.problem} />}
			<p className={errors > 0 ? "diagnostics-sum bad" : "diagnostics-sum"} role="status">
				{checked.validation === null ? (
					text.checking
				) : (
					<>
						<Icon name={errors > 0 ? "alert" : "check"} size={14} />
						{errors === 0 && warnings === 0 ? text.noFindings : text.findings(errors, warnings)}
					</>
				)}
			</p>
			{diagnostics.length > 0 && (
				<ul>
					{diagnostics.map((each) => (
						<li key={`${each.code} ${each.path} ${each.line}:${each.column} ${each.message}`}>
							<button
								type="button"
								className={each.severity}
								disabled={each.line === undefined}
								onClick={() => goTo(each)}
							>
								<Icon name={each.severity === "error" ? "alert" : "info"} size={14} />
								<span>
									<strong>{text.severities[each.severity]}</strong> {each.message}
									{each.hint !== undefined && <span className="diagnostics-hint">{each.hint}</span>}
								</span>
								{each.line !== undefined && (
									<span className="soft numbers">{text.position(each.line, each.column ?? 1)}</span>
								)}
							</button>
						</li>
					))}
				</ul>
			)}
		</div>
	);

	function goTo({ line, column }: Diagnostic): void {
		if (line !== undefined) onGoTo({ line, ...(column !== undefined && { column }) });
	}
}
