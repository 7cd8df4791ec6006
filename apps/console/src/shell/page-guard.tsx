import { Component, type ReactNode } from "react";
import { Problem } from "../ui/problem.tsx";

/** A page that breaks, or whose code does not arrive, leaves the rest of the console as it is. */
export class PageGuard extends Component<{ readonly children: ReactNode }, { readonly error: Error | null }> {
	override state = { error: null };

	static getDerivedStateFromError(error: Error) {
		return { error };
	}

	override render() {
		const { error } = this.state;
		if (error === null) return this.props.children;
		// Code of a version that is gone: only a new page knows the new names.
		return <Problem error={error} retry={() => location.reload()} />;
	}
}
