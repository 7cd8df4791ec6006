import { toExchanges } from "../exchange.ts";

const customer = {
	id: "cus_NffrFeUfNV2Hib",
	object: "customer",
	created: 1680893993,
	email: "jennyrosen@example.com",
	name: "Jenny Rosen",
	metadata: { order_id: "6735" },
};
const payment = {
	id: "pi_3MtwBwLkdIwHu7ix28a3tqPa",
	object: "payment_intent",
	amount: 2000,
	currency: "usd",
	status: "requires_payment_method",
	client_secret: null,
};

export const stripe = toExchanges(
	{
		id: "stripe",
		authRecipe: "stripe_key",
		fields: { token: "test-stripe-key" },
		base: "https://api.stripe.com/v1",
		headers: { authorization: "Bearer test-stripe-key" },
	},
	{
		create_customer: {
			params: {
				email: "jennyrosen@example.com",
				name: "Jenny Rosen",
				metadata: { order_id: "6735" },
				idempotency_key: "run-7",
			},
			sends: "POST /customers",
			headers: { "idempotency-key": "run-7" },
			form: "email=jennyrosen%40example.com&name=Jenny+Rosen&metadata%5Border_id%5D=6735",
			answer: customer,
		},
		list_customers: {
			params: { email: "jennyrosen@example.com", limit: 3 },
			sends: "GET /customers?email=jennyrosen%40example.com&limit=3",
			answer: { object: "list", url: "/v1/customers", has_more: false, data: [customer] },
		},
		create_checkout_session: {
			params: {
				line_items: [
					{ price: "price_1MotwRLkdIwHu7ixYcPLm5uZ", quantity: 2 },
					{ price: "price_2", quantity: 1 },
				],
				success_url: "https://example.com/success?id={CHECKOUT_SESSION_ID}",
			},
			sends: "POST /checkout/sessions",
			form: "mode=payment&success_url=https%3A%2F%2Fexample.com%2Fsuccess%3Fid%3D%7BCHECKOUT_SESSION_ID%7D&line_items%5B0%5D%5Bprice%5D=price_1MotwRLkdIwHu7ixYcPLm5uZ&line_items%5B0%5D%5Bquantity%5D=2&line_items%5B1%5D%5Bprice%5D=price_2&line_items%5B1%5D%5Bquantity%5D=1",
			answer: {
				id: "cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u",
				object: "checkout.session",
				url: "https://checkout.stripe.com/c/pay/cs_test_a11",
				status: "open",
				payment_status: "unpaid",
			},
		},
		create_payment_intent: {
			params: { amount: 2000, currency: "usd", metadata: { order: "7" } },
			sends: "POST /payment_intents",
			form: "amount=2000&currency=usd&metadata%5Border%5D=7&automatic_payment_methods%5Benabled%5D=true",
			answer: payment,
		},
		list_payment_intents: {
			params: { customer: "cus_NffrFeUfNV2Hib", starting_after: "pi_1" },
			sends: "GET /payment_intents?customer=cus_NffrFeUfNV2Hib&limit=10&starting_after=pi_1",
			answer: { object: "list", has_more: false, data: [payment] },
		},
		create_refund: {
			params: { payment_intent: "pi_1", amount: 500, reason: "requested_by_customer" },
			sends: "POST /refunds",
			form: "payment_intent=pi_1&amount=500&reason=requested_by_customer",
			answer: {
				id: "re_1Nispe2eZvKYlo2Cd31jOCgZ",
				object: "refund",
				amount: 500,
				currency: "usd",
				status: "succeeded",
			},
		},
		get_balance: {
			sends: "GET /balance",
			answer: {
				object: "balance",
				available: [{ amount: 666670, currency: "usd" }],
				pending: [{ amount: -61414, currency: "usd" }],
			},
		},
	},
);
