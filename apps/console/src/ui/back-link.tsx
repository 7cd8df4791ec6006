import type { ReactNode } from "react";
import { Link } from "../router.tsx";
import { Icon } from "./icon.tsx";

/** Link back to a list. */
export function BackLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
	return (
		<Link to={to} className="line">
			<Icon name="left" />
			{children}
		</Link>
	);
}
