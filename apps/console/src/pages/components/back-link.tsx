import type { ReactNode } from "react";
import { Link } from "../../router.tsx";
import { Icon } from "../../ui/icon.tsx";

/** Link back to the list of components. */
export function BackLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
	return (
		<Link to={to} className="line">
			<Icon name="left" />
			{children}
		</Link>
	);
}
