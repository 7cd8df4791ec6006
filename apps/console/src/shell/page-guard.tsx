import { Component, type ReactNode } from "react";
import { Problem } from "../ui/problem.tsx";

/** Error boundary: the rest of the console keeps working if a page throws or its code fails to load. */
export class PageGuard extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
	override state = { error: null };

	static getDerivedStateFromError(error: Error) {
		return { error };
	}

	override render() {
		const { error } = this.state;
		if (error === null) return this.props.children;
		// After a deployment old file names no longer exist; only a reload gets the new ones.
		return <Problem error={error} retry={() => location.reload()} />;
	}
}
