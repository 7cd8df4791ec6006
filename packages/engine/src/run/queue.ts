import type { Scope } from "./scope.ts";

/** FIFO queue of nodes whose incoming edges are all settled. Two arrays, because one object per node would cost more. */
export class Queue<Effects> {
	/** Null once taken out: a scope holds the outputs of its turn or element. */
	private scopes: (Scope<Effects> | null)[] = [];
	private places: number[] = [];
	private head = 0;

	get isEmpty(): boolean {
		return this.head === this.places.length;
	}

	push(scope: Scope<Effects>, place: number): void {
		this.scopes.push(scope);
		this.places.push(place);
	}

	/** The queue must not be empty. */
	shift(): { readonly scope: Scope<Effects>; readonly place: number } {
		const scope = this.scopes[this.head] as Scope<Effects>;
		const place = this.places[this.head] as number;
		this.scopes[this.head] = null;
		this.head += 1;
		if (this.head === 1_024) this.compact();
		return { scope, place };
	}

	private compact(): void {
		this.scopes = this.scopes.slice(this.head);
		this.places = this.places.slice(this.head);
		this.head = 0;
	}
}
