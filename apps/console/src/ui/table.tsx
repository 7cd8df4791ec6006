import type { ReactNode } from "react";

interface Props {
	readonly columns: readonly string[];
	/** Of the last column, which has the buttons of a row: said to screen readers only. */
	readonly actions: string;
	/** The rows. */
	readonly children: ReactNode;
}

/** On a small screen each row is a block; there a cell is named by its data-label. */
export function Table({ columns, actions, children }: Props) {
	return (
		<table className="table stacked">
			<thead>
				<tr>
					{columns.map((name) => (
						<th key={name} scope="col">
							{name}
						</th>
					))}
					<th scope="col">
						<span className="hidden-text">{actions}</span>
					</th>
				</tr>
			</thead>
			<tbody>{children}</tbody>
		</table>
	);
}
