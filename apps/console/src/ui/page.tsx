import { type ReactNode, useEffect } from "react";

interface Props {
	readonly title: string;
	/** In the place of the title's text, where more than text belongs there. */
	readonly heading?: ReactNode;
	readonly lead?: ReactNode;
	readonly actions?: ReactNode;
	readonly children: ReactNode;
	/** Uses the whole width and height, as editors and graphs do. */
	readonly isWide?: boolean;
}

/** A page's frame: one heading, what can be done, and the content. */
export function Page({ title, heading, lead, actions, children, isWide = false }: Props) {
	useEffect(() => {
		document.title = `${title} · Tripline`;
	}, [title]);
	return (
		<div className={isWide ? "page wide" : "page"}>
			<header className="page-head">
				<div>
					<h1>{heading ?? title}</h1>
					{lead !== undefined && <p className="lead">{lead}</p>}
				</div>
				{actions !== undefined && <div className="actions">{actions}</div>}
			</header>
			{children}
		</div>
	);
}
