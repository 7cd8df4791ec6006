import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, object, orNull, params } from "./schema.ts";

const headers = { "idempotency-key": "{{params.idempotency_key}}" };
const idempotency_key = text("The same key never has its effect twice; such as the run's id", {
	maxLength: 255,
});
const metadata = object("Your own texts by name, kept with it");
const amount = integer("In the smallest unit, such as cents", { minimum: 1 });
const currency = text("Three small letters, such as eur");
const money = { amount: integer("In the smallest unit; below zero for a debt"), currency };
const paging = {
	limit: integer("How many at most", { minimum: 1, maximum: 100, default: 10 }),
	starting_after: text("The last id of the page before"),
};
const page = (items: Parameters<typeof list>[0], description: string) =>
	answer({ data: list(items, description), has_more: flag("Whether there are more") });

const customer = answer({
	id: text("Its id, starts with cus_"),
	email: orNull(text("E-mail address")),
	name: orNull(text("Name")),
	created: integer("When it was made, in seconds since 1970"),
	metadata,
});
const paymentIntent = answer({
	id: text("Its id, starts with pi_"),
	...money,
	status: text("Such as requires_payment_method or succeeded"),
	client_secret: orNull(text("For the payment page only")),
});

export const stripe: ApiRecipe = {
	id: "stripe",
	title: "Stripe",
	description: "Customers, payments, checkout pages and refunds of a Stripe account.",
	auth: "stripe_key",
	base_url: "https://api.stripe.com/v1",
	docs_url: "https://docs.stripe.com/api",
	operations: {
		create_customer: {
			title: "Create a customer",
			method: "POST",
			path: "/customers",
			params: params(
				{},
				{
					email: text("E-mail address"),
					name: text("Name"),
					phone: text("Telephone number"),
					description: text("For you only"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					email: "{{params.email}}",
					name: "{{params.name}}",
					phone: "{{params.phone}}",
					description: "{{params.description}}",
					metadata: "{{params.metadata}}",
				},
			},
			output: { schema: customer },
			examples: [
				{
					title: "With your own id",
					params: { email: "jenny@example.com", name: "Jenny Rosen", metadata: { order_id: "6735" } },
				},
			],
		},
		list_customers: {
			title: "List customers",
			description: "Newest first; with email, those who have exactly that address.",
			method: "GET",
			path: "/customers",
			params: params({}, { email: text("E-mail address, as it was written"), ...paging }),
			query: {
				email: "{{params.email}}",
				limit: "{{params.limit}}",
				starting_after: "{{params.starting_after}}",
			},
			output: { schema: page(customer, "The customers") },
			examples: [{ title: "By address", params: { email: "jenny@example.com" } }],
		},
		create_checkout_session: {
			title: "Create a checkout page",
			description: "Send the buyer to url of the answer.",
			method: "POST",
			path: "/checkout/sessions",
			params: params(
				{
					line_items: list(
						object("What is bought: { price, quantity }", {
							price: text("A price's id, starts with price_"),
							quantity: integer("How many"),
						}),
						"What is bought",
						{ minItems: 1 },
					),
					success_url: text("Where the buyer goes afterwards; may hold {CHECKOUT_SESSION_ID}"),
				},
				{
					mode: choice(["payment", "subscription", "setup"], "Once, or again and again", {
						default: "payment",
					}),
					cancel_url: text("Where the buyer goes who does not pay"),
					customer: text("A customer's id"),
					customer_email: text("E-mail address, for a new customer"),
					client_reference_id: text("Your own id"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					mode: "{{params.mode}}",
					success_url: "{{params.success_url}}",
					cancel_url: "{{params.cancel_url}}",
					line_items: "{{params.line_items}}",
					customer: "{{params.customer}}",
					customer_email: "{{params.customer_email}}",
					client_reference_id: "{{params.client_reference_id}}",
					metadata: "{{params.metadata}}",
				},
			},
			output: {
				schema: answer({
					id: text("Its id, starts with cs_"),
					url: orNull(text("The page to send the buyer to")),
					status: orNull(text("open, complete or expired")),
					payment_status: text("paid, unpaid or no_payment_required"),
				}),
			},
			examples: [
				{
					title: "Two of one thing",
					params: {
						line_items: [{ price: "price_1MotwRLkdIwHu7ixYcPLm5uZ", quantity: 2 }],
						success_url: "https://example.com/success",
					},
				},
			],
		},
		create_payment_intent: {
			title: "Start a payment",
			method: "POST",
			path: "/payment_intents",
			params: params(
				{ amount, currency },
				{
					customer: text("A customer's id"),
					description: text("What it is for"),
					receipt_email: text("Where the receipt goes"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					amount: "{{params.amount}}",
					currency: "{{params.currency}}",
					customer: "{{params.customer}}",
					description: "{{params.description}}",
					receipt_email: "{{params.receipt_email}}",
					metadata: "{{params.metadata}}",
					automatic_payment_methods: { enabled: true },
				},
			},
			output: { schema: paymentIntent },
			examples: [{ title: "20 euros", params: { amount: 2000, currency: "eur" } }],
		},
		list_payment_intents: {
			title: "List payments",
			description: "Newest first.",
			method: "GET",
			path: "/payment_intents",
			params: params({}, { customer: text("Only those of this customer"), ...paging }),
			query: {
				customer: "{{params.customer}}",
				limit: "{{params.limit}}",
				starting_after: "{{params.starting_after}}",
			},
			output: { schema: page(paymentIntent, "The payments") },
			examples: [{ title: "The last three", params: { limit: 3 } }],
		},
		create_refund: {
			title: "Pay money back",
			method: "POST",
			path: "/refunds",
			params: params(
				{ payment_intent: text("The payment's id, starts with pi_") },
				{
					amount: integer("In the smallest unit; everything if left out", { minimum: 1 }),
					reason: choice(["duplicate", "fraudulent", "requested_by_customer"], "Why"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					payment_intent: "{{params.payment_intent}}",
					amount: "{{params.amount}}",
					reason: "{{params.reason}}",
					metadata: "{{params.metadata}}",
				},
			},
			output: {
				schema: answer({
					id: text("Its id, starts with re_"),
					...money,
					status: orNull(text("pending, succeeded, failed or canceled")),
				}),
			},
			examples: [{ title: "All of it", params: { payment_intent: "pi_1GszsK2eZvKYlo2CfhZyoZLp" } }],
		},
		get_balance: {
			title: "Get the account's balance",
			method: "GET",
			path: "/balance",
			params: params({}),
			output: {
				schema: answer({
					available: list(object("Per currency", money), "What can be paid out"),
					pending: list(object("Per currency", money), "What cannot yet"),
				}),
			},
			examples: [{ title: "Now", params: {} }],
		},
	},
};
