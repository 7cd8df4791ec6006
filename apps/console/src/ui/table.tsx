import type { ReactNode } from "react";

interface Props {
	readonly columns: readonly string[];
	/** Heading of the last column, which holds the row's buttons; for screen readers only. */
	readonly actions: string;
	readonly children: ReactNode;
}

/** On small screens each row becomes a block whose cells are labelled by data-label. */
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
