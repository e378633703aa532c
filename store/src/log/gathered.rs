//! Reads that many callers ask for at once, made by one query.
//!
//! A caller who comes alone waits for nobody. Those who come while queries run wait for the next one, which asks for all of
//! them together. So each answer was read after it was asked for, as if each caller had asked alone.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};

use super::StoreError;

const QUERIES: usize = 4;
const CALLERS_MAX: usize = 128;

type Asked<K, V> = (K, oneshot::Sender<V>);

#[derive(Debug)]
pub(super) struct Gathered<K, V> {
    queue: mpsc::UnboundedSender<Asked<K, V>>,
}

impl<K: Send + 'static, V: Send + 'static> Gathered<K, V> {
    /// `read` gives the value of each key, in their order, or fails for all of them.
    pub(super) fn new<R>(read: impl Fn(Vec<K>) -> R + Clone + Send + 'static) -> Self
    where
        R: Future<Output = Result<Vec<V>, StoreError>> + Send + 'static,
    {
        let (queue, asked) = mpsc::unbounded_channel();
        let asked = Arc::new(Mutex::new(asked));
        for _ in 0..QUERIES {
            tokio::spawn(answer(asked.clone(), read.clone()));
        }
        Self { queue }
    }

    /// The value of a key; none if it could not be read together with others. The caller asks alone then, and has an error of
    /// its own.
    pub(super) async fn get(&self, key: K) -> Option<V> {
        let (answer, answered) = oneshot::channel();
        self.queue.send((key, answer)).ok()?;
        answered.await.ok()
    }
}

async fn answer<K, V, R>(asked: Arc<Mutex<mpsc::UnboundedReceiver<Asked<K, V>>>>, read: impl Fn(Vec<K>) -> R)
where
    R: Future<Output = Result<Vec<V>, StoreError>>,
{
    loop {
        let mut callers = Vec::new();
        if asked.lock().await.recv_many(&mut callers, CALLERS_MAX).await == 0 {
            return;
        }
        callers.retain(|(_, answer)| !answer.is_closed());
        let (keys, answers): (Vec<K>, Vec<_>) = callers.into_iter().unzip();
        if keys.is_empty() {
            continue;
        }
        // The answers of a query that failed are dropped, which tells the callers.
        let Ok(values) = read(keys).await else { continue };
        for (answer, value) in answers.into_iter().zip(values) {
            // A caller who stopped waiting gets none.
            drop(answer.send(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Doubles numbers, notes how many it was asked for at once, and fails for 13.
    fn doubles(asked: Arc<Mutex<Vec<usize>>>) -> Gathered<u32, u32> {
        Gathered::new(move |keys: Vec<u32>| {
            let asked = asked.clone();
            async move {
                asked.lock().await.push(keys.len());
                // The others ask meanwhile.
                tokio::task::yield_now().await;
                let failed = || StoreError::Corrupt { what: "13".to_owned() };
                keys.into_iter().map(|key| if key == 13 { Err(failed()) } else { Ok(2 * key) }).collect()
            }
        })
    }

    #[tokio::test]
    async fn everybody_has_the_answer_to_their_own_key_and_few_queries_are_made() {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let doubles = Arc::new(doubles(asked.clone()));
        let callers: Vec<_> = (100..400)
            .map(|key| {
                let doubles = doubles.clone();
                tokio::spawn(async move { (key, doubles.get(key).await) })
            })
            .collect();
        for caller in callers {
            let (key, doubled) = caller.await.unwrap();
            assert_eq!(doubled, Some(2 * key));
        }
        let asked = asked.lock().await;
        assert_eq!(asked.iter().sum::<usize>(), 300, "each key once");
        assert!(asked.len() < 30 && asked.iter().all(|n| *n <= CALLERS_MAX), "{asked:?}");
    }

    #[tokio::test]
    async fn a_query_that_fails_answers_nobody_and_the_next_one_does() {
        let doubles = doubles(Arc::default());
        assert_eq!(doubles.get(13).await, None);
        assert_eq!(doubles.get(4).await, Some(8));
    }
}
