import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Course, CourseProgress, NextStep, NextSteps, Orchestration, StepResult } from "../component.ts";
import type { Frame } from "../frame.ts";
import type { PlanNode, PlanStep } from "../plan.ts";
import { type Loop, type PendingNode, Scope } from "./scope.ts";

/** The steps that a node takes: one batch after the other, and those of a batch at the same time. */
export class CourseLoop<Effects> implements Loop<Effects>, PendingNode<Effects> {
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	readonly startedAt: number;
	private readonly params: JsonObject;
	/** Null before the first decision. */
	private course: Course | null = null;
	private readonly elements = new Set<Scope<Effects>>();
	private batch = 0;
	private results: StepResult[] = [];
	failure: string | null = null;
	readonly expected = null;
	/** The course decides what follows on them. */
	readonly collectsErrors = true;

	constructor(scope: Scope<Effects>, node: PlanNode<Effects>, params: JsonObject, startedAt: number) {
		this.scope = scope;
		this.node = node;
		this.startedAt = startedAt;
		this.params = params;
		scope.addActivity(this);
	}

	get isOver(): boolean {
		return this.elements.size === 0;
	}

	decide(progress: CourseProgress): NextSteps {
		this.course ??= this.begin();
		return this.course.next(this.results, progress);
	}

	private begin(): Course {
		const { component, steps } = this.node as PlanNode<Effects> & {
			readonly steps: readonly PlanStep<Effects>[];
		};
		const orchestration = component.orchestration as Orchestration<Effects>;
		return orchestration.begin(
			this.params,
			steps.map(({ planned }) => planned),
		);
	}

	/** The scopes of the next batch. Each has one node, whose parameters are its item. */
	startBatch(next: readonly NextStep[]): Scope<Effects>[] {
		const { frame } = this.scope;
		if (next.length === 0) throw new Error("a batch must have a step");
		this.results = new Array(next.length);
		const around: Frame = { roots: frame.roots, parent: frame, outputs: [], index: this.batch };
		this.batch += 1;
		const elements = next.map(({ name, params }, index) => {
			const step = this.node.steps?.find(({ planned }) => planned.name === name);
			if (step === undefined) throw new Error(`the node has no step ${JSON.stringify(name)}`);
			return new Scope<Effects>(
				{ roots: frame.roots, parent: around, outputs: [], item: params, index },
				step.region,
				this as Loop<Effects>,
				this.scope.outputs,
			);
		});
		for (const element of elements) this.elements.add(element);
		return elements;
	}

	finishStep(step: Scope<Effects>): void {
		this.elements.delete(step);
		const { frame, region, blame } = step;
		const place = region.members[0] as number;
		const error = blame?.get(place);
		this.results[frame.index as number] =
			error === undefined ? { output: (frame.outputs[place] ?? null) as Json } : { error };
	}

	/** Its steps are cancelled with their scopes. */
	cancel(): void {}

	listElements(): Scope<Effects>[] {
		return [...this.elements];
	}

	releaseElements(keep: Scope<Effects> | null): Scope<Effects>[] {
		const given = this.listElements().filter((element) => element !== keep);
		for (const element of given) this.elements.delete(element);
		return given;
	}
}
