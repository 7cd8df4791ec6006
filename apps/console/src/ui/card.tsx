import { type ReactNode, useId } from "react";

interface Props {
	readonly title?: ReactNode;
	readonly actions?: ReactNode;
	readonly children: ReactNode;
	readonly className?: string;
	/** No padding: rows extend to the edges. */
	readonly isFlush?: boolean;
}

export function Card({ title, actions, children, className = "", isFlush = false }: Props) {
	const id = useId();
	return (
		<section className={`card ${className}`} aria-labelledby={title === undefined ? undefined : id}>
			{(title !== undefined || actions !== undefined) && (
				<header className="card-head">
					<h2 id={id}>{title}</h2>
					{actions !== undefined && <div className="actions">{actions}</div>}
				</header>
			)}
			<div className={isFlush ? "card-body flush" : "card-body"}>{children}</div>
		</section>
	);
}
