import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { collectFileIds } from "./collect.ts";

/** What a run starts with. */
export interface RightsSource {
	/** Files that came with the run: uploaded to it, passed by its event, or what it had when it was accepted. */
	readonly files?: readonly string[] | undefined;
	readonly input: Json;
	/** Whether the input comes from a caller with the tenant's credential. */
	readonly isOwners?: boolean | undefined;
	/** The run that called this one as a workflow. */
	readonly caller?: { readonly rights: FileRights } | undefined;
}

/**
 * Which files a run may open. A file value is only a name: it travels through templates, and anybody can write one. Which
 * names count is decided here and nowhere else. Created when a run first touches a file.
 */
export class FileRights {
	readonly #source: RightsSource;
	/** Came with the run, or gained since: made or downloaded, found by their kept name, returned by a called workflow. */
	readonly #gained: Set<string>;
	/** Named in the input; null until it matters. */
	#named: ReadonlySet<string> | null = null;
	#hasOwn = false;
	#news: string[] = [];

	constructor(source: RightsSource) {
		this.#source = source;
		this.#gained = new Set(source.files);
	}

	/** False if the run cannot have any file, so that its values need not be searched. */
	get mayHaveFiles(): boolean {
		const { isOwners, caller } = this.#source;
		return this.#gained.size > 0 || isOwners === true || caller?.rights.mayHaveFiles === true;
	}

	/** Whether the run gained files that whoever called it may not know. */
	get hasOwn(): boolean {
		return this.#hasOwn;
	}

	/** The run made the file, downloaded it, found it by its kept name or got it from a workflow that it called. */
	gain(id: string): void {
		this.#gained.add(id);
		this.#hasOwn = true;
		this.#news.push(id);
	}

	/** What the run gained since the last call. */
	takeNews(): readonly string[] {
		const news = this.#news;
		this.#news = [];
		return news;
	}

	/** The only way to a file. Everything that is not in this list is plain data. */
	mayOpen(id: string, meter: Pick<Meter, "spend">): boolean {
		if (this.#gained.has(id)) return true;
		const { isOwners, caller } = this.#source;
		if (isOwners === true) return this.#isNamed(id, meter);
		return caller !== undefined && this.#isNamed(id, meter) && caller.rights.mayOpen(id, meter);
	}

	/** The files in a value that the run may pass on. */
	select(value: Json, meter: Pick<Meter, "spend">): string[] {
		if (!this.mayHaveFiles) return [];
		return [...collectFileIds(value, meter)].filter((id) => this.mayOpen(id, meter));
	}

	#isNamed(id: string, meter: Pick<Meter, "spend">): boolean {
		this.#named ??= collectFileIds(this.#source.input, meter);
		return this.#named.has(id);
	}
}
